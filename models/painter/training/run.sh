#!/bin/bash
# Trains on a machine that is reached by calls of limited time, whose checkout may be replaced between them: everything is kept in a folder of its own.
#
#   run.sh store FOLDER      takes these programs, ../language and FOLDER (lexicon.json, assets.bin, eval.json) along
#   run.sh train MINUTES …   painter and upsampler, in the background; the upsampler gets the last 1.4 minutes. Options of train_base.py
#                            may follow; with --start, which goes on from weights, the upsampler stays as it is
#   run.sh wait SECONDS      waits so long, or until all is done; copies weights, log and previews to OUT
#
# If recorded passes fail, the painter goes on without them from its last weights.
set -eo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=${WORK:-/root/painter}
out=${OUT:-$work/out}
export PYTHONUNBUFFERED=1
mkdir -p "$work/run" "$out"

store() {
  cp -r "$here" "$here/../language" "$work/"
  cp -r "$1" "$work/data"
  ls -la "$work" "$work/data"
}

train_all() {
  local upsampler_seconds=84
  if [[ " $* " == *" --start "* ]]; then upsampler_seconds=0; fi
  local ends=$(($(date +%s) + $(python3 -c "print(round($1 * 60))") - upsampler_seconds))
  shift
  left() { python3 -c "print(max(0.2, ($ends - $(date +%s)) / 60))"; }
  cd "$work/training"
  if ! python3 train_base.py --data ../data --out ../run --minutes "$(left)" "$@" > ../run/painter.txt 2>&1; then
    local go_on=(--plain)
    if [ -e ../run/painter.pt.0 ]; then go_on+=(--start ../run/painter.pt --small 0); fi
    python3 train_base.py --data ../data --out ../run --minutes "$(left)" "${go_on[@]}" > ../run/painter-plain.txt 2>&1 || true
  fi
  if [ $upsampler_seconds -gt 0 ]; then
    python3 train_upsampler.py --data ../data --painter ../run/painter.pt --out ../run --minutes 1.3 > ../run/upsampler.txt 2>&1 || true
  fi
  touch ../run/done
}

wait_for() {
  local until=$(($(date +%s) + $1))
  while [ "$(date +%s)" -lt "$until" ] && [ ! -e "$work/run/done" ]; do sleep 1; done
  cp "$work"/run/painter.pt.* "$work"/run/upsampler.pt "$work"/run/log.txt "$work"/run/*.png "$out/" 2> /dev/null || true
  tail -n 4 "$work"/run/log.txt "$work"/run/*.txt
  if [ -e "$work/run/done" ]; then echo all done; fi
}

case $1 in
  store) store "$2" ;;
  train)
    rm -f "$work/run/done"
    setsid "$work/training/run.sh" in-background "${@:2}" > "$work/run/all.txt" 2>&1 < /dev/null &
    ;;
  in-background) train_all "${@:2}" ;;
  wait) wait_for "$2" ;;
  *) sed -n 4,9p "$0"; exit 2 ;;
esac
