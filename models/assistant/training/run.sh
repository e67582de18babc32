#!/bin/bash
# Trains on a machine that is reached by uploads of limited size and calls of limited time: `store` keeps what came along, the others work with all that was kept.
#
#   run.sh store                                     unpacks what lies beside this script
#   run.sh sanity SECONDS                            a short run, to see that all works, and its speed
#   run.sh train TOTAL NOW QUESTIONS                 trains for NOW of TOTAL seconds; goes on where the last call ended; measures if QUESTIONS is not 0
#   run.sh reinforce ADAPTER SECONDS QUESTIONS       goes on from an adapter with its own answers, and measures
#   run.sh measure ADAPTER QUESTIONS                 development sets of an adapter, or of the base model if ADAPTER is "base"
#   run.sh held-out ADAPTER QUESTIONS                held-out sets of the base model and of an adapter
set -eo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=${WORK:-/root/assistant}
out=${OUT:-$work/out}
model=$work/SmolLM2-135M-Instruct.Q4_1.gguf
name=${NAME:-next}
start=${START-$work/assistant.gguf}
mkdir -p "$work" "$out"
export PYTHONUNBUFFERED=1 TOKENIZERS_PARALLELISM=false OMP_NUM_THREADS=2 PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True

store() {
  for part in "$here"/weights.gz.* "$here"/assistant.gguf; do if [ -e "$part" ]; then cp "$part" "$work/"; fi; done
  if [ -e "$here/code.tar.gz" ]; then tar xzf "$here/code.tar.gz" -C "$work"; fi
  if [ ! -e "$model" ] && [ -e "$work/weights.gz.a" ] && [ -e "$work/weights.gz.b" ]; then
    cat "$work"/weights.gz.? | gunzip > "$model"
    echo "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53  $model" | sha256sum -c
  fi
  ls -la "$work"
}

train() {
  local called=$1
  shift
  python3 "$work/training/${TRAINER:-train.py}" --model "$model" --data "$work/data" --out "$out" --name "$called" --workers "${WORKERS:-6}" --memory-gib "${MEMORY_GIB:-68}" \
    --kept-file "$work/kept.pt" "$@" ${EXTRA:-} 2>&1 | tee -a "$out/$called.log"
  cp "$out/$called".* "$out/$called-answers.json" "$work/" 2> /dev/null || true
}

measure() {
  local adapter=$1 questions=$2 file=$3
  shift 3
  if [ "$adapter" = base ]; then adapter=''; fi
  python3 "$work/evaluation/evaluate.py" --model "$model" --data "$work/data" --adapter "$adapter" --count "$questions" --out "$out/$file.json" "$@" ${EXTRA:-}
}

case $1 in
  store) store ;;
  sanity) train sanity ${start:+--start "$start"} --seconds "${2:-60}" --batch-tokens "${BATCH:-40960}" --evaluate 0 --seed 9 ;;
  train)
    train "$name" ${start:+--start "$start"} --seconds "$2" --stop-after "$3" --evaluate "${4:-0}" --rate "${RATE:-2e-3}" --batch-tokens "${BATCH:-40960}" --seed 3 --state "$work/$name.pt"
    ;;
  reinforce)
    TRAINER=reinforce.py train "${name}-reinforced" --start "$2" --seconds "$3" --evaluate "${4:-0}" --batch-tokens "${BATCH:-40960}"
    ;;
  measure) measure "$2" "$3" "measure-$(basename "$2" .gguf)" ;;
  held-out)
    measure base "$3" held-out-base --held-out
    measure "$2" "$3" held-out-adapter --held-out
    ;;
  *) sed -n 4,10p "$0"; exit 2 ;;
esac
