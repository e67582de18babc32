"""Reads the weights back out of painter.onnx, so that training can go on from what was shipped. Usage: python widen_onnx.py painter.onnx start.pt"""

import re
import sys
import numpy as np
import onnx
from onnx import numpy_helper

# What the exporter folded away the names of, in the order in which each block uses them.
BLOCK_MATRICES = ["qkv", "out", "up", "down"]
FOLDED = {(192, 384): "patch_in.weight", (768, 384): "reference_in.weight", (384, 192): "patch_out.weight"}


def read(path):
    """-> name of the parameter: fp32 array, as the model's state dict has them."""
    arrays = {t.name: numpy_helper.to_array(t) for t in onnx.load(path).graph.initializer}
    found, folded = {}, []
    for name, values in arrays.items():
        base = re.sub(r"\.(half|int8)$", "", name)
        if name.endswith(".scale"):
            continue
        if name.endswith(".int8"):
            folded.append((int(base.removeprefix("val_")), values.astype(np.float32) * arrays[base + ".scale"]))
        elif (
            not base.startswith("val_")
            and values.ndim
            and re.match(r"(word|patch|reference|place|time|pooled|modulate|blocks)", base)
        ):
            found[base] = values.astype(np.float32)
        elif values.shape in FOLDED:
            found[FOLDED[values.shape]] = values.astype(np.float32).T
        elif values.shape == (5, 384):
            found["role"] = values.astype(np.float32)
    for place, (_, values) in enumerate(sorted(folded, key=lambda item: item[0])):
        found[f"blocks.{place // 4}.{BLOCK_MATRICES[place % 4]}.weight"] = values.T
    return {name: np.ascontiguousarray(values) for name, values in found.items()}


if __name__ == "__main__":
    import torch

    torch.save({name: torch.from_numpy(values) for name, values in read(sys.argv[1]).items()}, sys.argv[2])
