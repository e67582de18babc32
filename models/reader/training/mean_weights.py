"""Writes weights between those of two runs, of which one went on from the other: what the first knew is kept, most of what the second learnt is there.

    python mean_weights.py start.npz run/weights.npz 0.5 mean.npz      # share of the second
"""

import sys

import numpy as np


def main(first: str, second: str, share: str, to: str) -> None:
    before, after, part = np.load(first), np.load(second), float(share)
    widened = lambda stored, name: stored[name].astype(np.float32)
    np.savez(to, **{name: ((1 - part) * widened(before, name) + part * widened(after, name)).astype(np.float16) for name in after.files})


if __name__ == "__main__":
    main(*sys.argv[1:])
