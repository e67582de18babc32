#!/bin/bash
# Trains on a machine that is reached by uploads of limited size: `store` keeps what came along, the others work with all that was kept.
set -eo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=${WORK:-/root/assistant}
out=${OUT:-$work/out}
model=$work/SmolLM2-135M-Instruct.Q4_1.gguf
mkdir -p "$work" "$out"
export PYTHONUNBUFFERED=1 TOKENIZERS_PARALLELISM=false OMP_NUM_THREADS=2 PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True

store() {
  for part in "$here"/weights.gz.*; do [ -e "$part" ] && cp "$part" "$work/"; done
  if [ -e "$here/code.tar.gz" ]; then tar xzf "$here/code.tar.gz" -C "$work"; fi
  if [ ! -e "$model" ] && [ -e "$work/weights.gz.a" ] && [ -e "$work/weights.gz.b" ]; then
    cat "$work"/weights.gz.? | gunzip > "$model"
    echo "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53  $model" | sha256sum -c
  fi
  ls -la "$work"
}

train() {
  name=$1
  shift
  python3 "$work/training/train.py" --model "$model" --data "$work/data" --out "$out" --name "$name" "$@" ${EXTRA:-} 2>&1 | tee "$work/$name.log"
}

case $1 in
  store) store ;;
  sanity)
    store
    train sanity --seconds "${2:-60}" --batch-tokens 16384 --workers 12 --evaluate 32 --replay 512
    ;;
  variants)
    # Two at once: a model this small does not fill the device alone.
    seconds=${2:-340}
    pids=()
    train one --seconds "$seconds" --batch-tokens 40960 --workers 5 --evaluate 100 --rate 1.2e-3 --shares documents=26,tools=22,bfcl=14,answers=24,squad=0,talk=12,json=8 & pids+=($!)
    train two --seconds "$seconds" --batch-tokens 40960 --workers 5 --evaluate 100 --rate 2.5e-3 --shares documents=26,tools=22,bfcl=14,answers=24,squad=0,talk=12,json=8 & pids+=($!)
    wait "${pids[@]}"
    cat "$work"/one.log "$work"/two.log > "$out/variants.log"
    ;;
  more)
    # More of one: bash run.sh more adapter.gguf seconds rate
    train more --start "$2" --seconds "$3" --rate "$4" --batch-tokens 65536 --workers 10 --evaluate 100 --shares squad=0 --seed 2
    ;;
  held-out)
    # Base and adapter on the held-out sets: bash run.sh held-out adapter.gguf
    for adapter in '' "$2"; do
      python3 "$work/evaluation/evaluate.py" --model "$model" --data "$work/data" --adapter "$adapter" --count 200 --held-out --out "$out/held-out-${adapter:+adapter}.json"
    done
    ;;
  *) echo "store, sanity, variants, more or held-out"; exit 2 ;;
esac
