"""Reads painter.onnx back as weights to continue from: python import_onnx.py ../painter.onnx ../lexicon.json run/painter.pt"""

import sys
from pathlib import Path
import numpy as np
import onnx
import torch
from onnx import numpy_helper
import compact
from lexicon import Lexicon
from model import Painter


def widened(graph):
    """Name → value of every stored weight, as numbers of 32 bits."""
    stored = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    values = {}
    for name, value in stored.items():
        base, _, kind = name.rpartition(".")
        if kind == "int8":
            values[base] = value.astype(np.float32) * stored[base + ".scale"]
        elif kind == "half":
            values[base] = value.astype(np.float32)
        elif kind != "scale":
            values[name] = value
    return values


def products(graph, values):
    """The matrices of the graph in the order of its layers, as PyTorch keeps them: transposed."""
    return [values[n.input[1]].T for n in graph.node if n.op_type == "MatMul" and n.input[1] in values]


def weights_of(path, size):
    """The exporter gives some matrices names of its own; those are told by their place among the layers."""
    graph = onnx.load(path).graph
    values = widened(graph)
    state = Painter(size).state_dict()
    unnamed = [name for name in state if name not in values]
    found = {name: values[name] for name in state if name in values}
    matrices = iter(products(graph, values))
    for name in unnamed:
        shape = tuple(state[name].shape)
        if name.endswith(".weight"):
            found[name] = next(m for m in matrices if m.shape == shape)
        else:
            found[name] = next(v for v in values.values() if v.shape == shape)
    return {name: torch.tensor(found[name]).view(state[name].shape) for name in state}


if __name__ == "__main__":
    onnx_file, lexicon, out = sys.argv[1:]
    compact.save(weights_of(Path(onnx_file), Lexicon(lexicon).size), Path(out))
