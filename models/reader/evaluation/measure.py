"""Time a page on one core and memory of the process: python measure.py [model folder]"""

import resource
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "training"))

from page_features import FEATURES  # noqa: E402
from read import onnx_scorer  # noqa: E402
from word_pieces import WordPieces  # noqa: E402

NAMES = "invoice number;invoice date;due date;total;net amount;tax amount;seller name;buyer name;iban;currency".split(";")


def main(folder: str = str(Path(__file__).parent.parent)) -> None:
    memory = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    pieces = WordPieces.read(f"{folder}/vocab.txt")
    before = memory()
    score = onnx_scorer(folder, 1)
    fields = [pieces.encode(f"{name} : string", 40) for name in NAMES]
    dice = np.random.default_rng(1)
    for length in (200, 400, 640):
        features = np.concatenate([dice.integers(200, 20000, (length, 1)), dice.integers(1, 15, (length, FEATURES - 1))], 1)
        for count in (1, 10):
            score(features, fields[:count])
            wall, cpu = time.perf_counter(), time.process_time()
            for _ in range(5):
                score(features, fields[:count])
            print(f"{length} pieces, {count} fields: {(time.perf_counter() - wall) / 5 * 1000:.0f} ms, {(time.process_time() - cpu) / 5 * 1000:.0f} ms of CPU", flush=True)
    print(f"memory {before} MB before the networks are opened, {memory()} MB at most")


if __name__ == "__main__":
    main(*sys.argv[1:])
