"""Gives the weights of shipped networks back to the trainer, to go on from: int8 widened.

    python import_onnx.py .. run/weights.npz
"""

import os
import sys

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from model import BUCKETS, HEADS, Reader
from word_pieces import WordPieces


def weights_of(path: str) -> dict[str, np.ndarray]:
    graph = onnx.load(path).graph
    stored = {one.name: numpy_helper.to_array(one) for one in graph.initializer}

    def widened(name: str) -> np.ndarray:
        base = name.removesuffix("_quantized")
        zero = stored[f"{base}_zero_point"].astype(np.float32)
        return (stored[name].astype(np.float32) - zero) * stored[f"{base}_scale"]

    out = {name: value for name, value in stored.items() if name.endswith((".bias", "norm.weight"))}
    for name in stored:
        if name.startswith("encoder.") and name.endswith("_quantized"):
            out[name.removesuffix("_quantized")] = widened(name)
    for node in graph.node:
        if node.op_type == "MatMulInteger" and node.input[1].endswith("_quantized"):
            # /encoder/layers.0/own/q/MatMul_quant
            layer = ".".join(part for part in node.name.split("/")[1:-1])
            out[f"{layer}.weight"] = widened(node.input[1]).T
    parts = [value for value in stored.values() if value.ndim > 1 and value.shape[-1] == HEADS and value.size == BUCKETS * HEADS]
    if parts:
        out["encoder.distance"] = np.concatenate([part.reshape(BUCKETS, HEADS) for part in parts])
    return out


def main(folder: str, to: str) -> None:
    found = {**weights_of(f"{folder}/encoder.onnx"), **weights_of(f"{folder}/fields.onnx")}
    reader = Reader(len(WordPieces.read(f"{folder}/vocab.txt").pieces))
    missing, unexpected = reader.load_state_dict({name: torch.tensor(value) for name, value in found.items()}, strict=False)
    assert not missing and not unexpected, (missing, unexpected)
    os.makedirs(os.path.dirname(to) or ".", exist_ok=True)
    np.savez_compressed(to, **{name: value.half().numpy() for name, value in reader.state_dict().items()})


if __name__ == "__main__":
    main(*sys.argv[1:])
