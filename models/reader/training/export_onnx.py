"""Writes encoder.onnx and fields.onnx, int8, from weights.npz of the trainer.

    python export_onnx.py run/weights.npz ..
"""

import os
import shutil
import sys
import tempfile

import numpy as np
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import Tensor, nn

from fuse_attention import fuse
from language import DATA
from model import WIDTH, Reader
from page_features import FEATURES
from word_pieces import WordPieces

OPSET = 17


class PageEncoder(nn.Module):
    def __init__(self, reader: Reader):
        super().__init__()
        self.encoder = reader.encoder

    def forward(self, features: Tensor, mask: Tensor) -> Tensor:
        return self.encoder(features, mask)


class FieldPointer(nn.Module):
    def __init__(self, reader: Reader):
        super().__init__()
        self.pointer = reader.pointer

    def forward(self, fields: Tensor, page: Tensor) -> Tensor:
        return self.pointer(fields[None], torch.ones_like(fields[None, :, 0]), page[None], torch.ones_like(page[None, :, 0]))[0]


def load(path: str) -> Reader:
    stored = np.load(path)
    reader = Reader(stored["encoder.word.weight"].shape[0])
    missing, unexpected = reader.load_state_dict({k: torch.tensor(stored[k]).float() for k in stored.files}, strict=False)
    assert not missing and not unexpected, (missing, unexpected)
    return reader.eval()


def main(weights: str, folder: str) -> None:
    reader = load(weights)
    with tempfile.TemporaryDirectory() as full:
        page = (torch.zeros(2, 9, FEATURES, dtype=torch.int64), torch.ones(2, 9))
        torch.onnx.export(PageEncoder(reader), page, f"{full}/encoder.onnx", input_names=["features", "mask"], output_names=["encoded"], dynamic_axes={"features": {0: "n", 1: "t"}, "mask": {0: "n", 1: "t"}, "encoded": {0: "n", 1: "t"}}, opset_version=OPSET, dynamo=False)
        asked = (torch.randn(3, WIDTH), torch.randn(20, WIDTH))
        torch.onnx.export(FieldPointer(reader), asked, f"{full}/fields.onnx", input_names=["fields", "page"], output_names=["scores"], dynamic_axes={"fields": {0: "f"}, "page": {0: "t"}, "scores": {0: "f", 1: "t"}}, opset_version=OPSET, dynamo=False)
        for name, kinds in (("encoder", ["MatMul", "Gather"]), ("fields", ["MatMul"])):
            quantize_dynamic(f"{full}/{name}.onnx", f"{folder}/{name}.onnx", weight_type=QuantType.QInt8, per_channel=True, op_types_to_quantize=kinds)
            if name == "encoder":
                fuse(f"{folder}/{name}.onnx")
            print(f"{name}.onnx: {os.path.getsize(f'{folder}/{name}.onnx') / 1e6:.1f} MB of {os.path.getsize(f'{full}/{name}.onnx') / 1e6:.1f}")
    shutil.copy(os.path.join(DATA, "vocab.txt"), f"{folder}/vocab.txt")
    WordPieces.read(f"{folder}/vocab.txt")


if __name__ == "__main__":
    main(*sys.argv[1:])
