"""Writes the adapter between two of the same rank, of which one went on from the other.

    python between.py old.gguf new.gguf 0.75 between.gguf"""

import sys
from pathlib import Path

from gguf_file import Q8_0, read_adapter, write_adapter


def main(old, new, share, target):
    one, two = read_adapter(old), read_adapter(new)
    pairs = {name: tuple(a * (1 - share) + b * share for a, b in zip(one[name], two[name], strict=True)) for name in two}
    rank = next(iter(pairs.values()))[0].shape[0]
    write_adapter(Path(target), pairs, architecture='llama', alpha=rank, kind=Q8_0, facts={'general.name': 'Stackgate assistant', 'general.license': 'apache-2.0'})


if __name__ == '__main__':
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4])
