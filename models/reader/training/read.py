"""Reads documents with the exported network: the reference of what the runtime does.

    python read.py ../fixtures/invoice.json
"""

import json
import os
import sys
from typing import Callable

import numpy as np

from decode import Found, items, rows, single
from page_features import FEATURES, STEP, WINDOW, Page, page_features
from schemas import field_text
from word_pieces import WordPieces

FIELD_PIECES = 40
SHARED = WINDOW - 1 - STEP  # pieces that stand in a stretch and in the next
HERE = os.path.dirname(os.path.abspath(__file__))

# A scorer: (features [T,9], ids of each field) -> scores [F,T,4].
Scorer = Callable[[np.ndarray, list[list[int]]], np.ndarray]


def text_of_field(field: dict, parent: str | None = None) -> str:
    kind = "date" if field.get("format") == "date" else field.get("type") or "string"
    choices = [str(c) for c in field.get("enum") or [] if c is not None]
    return field_text(field["name"], kind, field.get("description"), choices or None, parent)


def onnx_scorer(folder: str, threads: int = 1) -> Scorer:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    session = lambda name: onnxruntime.InferenceSession(os.path.join(folder, name), options, providers=["CPUExecutionProvider"])
    encoder, pointer = session("encoder.onnx"), session("fields.onnx")
    kept: dict[tuple[int, ...], np.ndarray] = {}

    def encode(sequence: np.ndarray) -> np.ndarray:
        return encoder.run(None, {"features": sequence[None]})[0][0]

    def score(features: np.ndarray, ids: list[list[int]]) -> np.ndarray:
        # One by one: a field's vector must not depend on its neighbours' length.
        for one in ids:
            if tuple(one) not in kept:
                sequence = np.zeros((len(one), FEATURES), np.int64)
                sequence[:, 0] = one
                kept[tuple(one)] = encode(sequence).mean(0)
        vectors = np.stack([kept[tuple(one)] for one in ids])
        return pointer.run(None, {"fields": vectors, "page": encode(features)})[0]

    return score


class Reader:
    def __init__(self, score: Scorer, pieces: WordPieces, temperature: float = 1.0):
        self.score, self.pieces, self.temperature = score, pieces, temperature

    @classmethod
    def open(cls, folder: str) -> "Reader":
        with open(os.path.join(folder, "calibration.json"), encoding="utf8") as file:
            temperature = json.load(file)["temperature"]
        return cls(onnx_scorer(folder), WordPieces.read(os.path.join(folder, "vocab.txt")), temperature)

    def windows(self, boxes: list[tuple], texts: list[str]):
        """(page, scores, first and last piece at which its rows may begin) of each stretch of a page."""
        whole = page_features(boxes, self.pieces)
        ids = [self.pieces.encode(text, FIELD_PIECES) for text in texts]
        start = 0
        while start < len(whole.features):
            page = whole.window(start)
            features = np.array([(self.pieces.cls, *[0] * (FEATURES - 1)), *page.features], np.int64)
            ends = start + WINDOW - 1 >= len(whole.features)
            # Rows that begin in the part two stretches share: those of its first half belong to the first, the others to the second.
            yield page, self.score(features, ids), SHARED // 2 + 1 if start else 1, WINDOW if ends else STEP + SHARED // 2
            if ends:
                return
            start += STEP

    def read(self, pages: list[list[tuple]], fields: list[dict], lists: list[dict] | None = None) -> tuple[list[Found], list[list]]:
        """fields: {name, type, format, description, enum}; lists: {name, description, columns} or without columns. Values in the order of fields, then lists."""
        lists = lists or []
        texts = [text_of_field(field) for field in fields]
        places = []
        for listed in lists:
            places.append(len(texts))
            texts.append(text_of_field({**listed, "type": "array"}))
            texts += [text_of_field(column, listed["name"]) for column in listed.get("columns") or []]
        found = [Found(None, 0.0, []) for _ in fields]
        listed_rows: list[list] = [[] for _ in lists]
        for boxes in pages:
            for page, scores, first, last in self.windows(boxes, texts):
                for i in range(len(fields)):
                    here = single(scores[i], page, self.temperature)
                    better = here.probability > found[i].probability
                    if here.text is not None and (found[i].text is None or better) or here.text is None and found[i].text is None and better:
                        found[i] = here
                for k, listed in enumerate(lists):
                    columns = listed.get("columns") or []
                    own = scores[places[k]]
                    if columns:
                        cells = [scores[places[k] + 1 + c] for c in range(len(columns))]
                        listed_rows[k] += rows(own, cells, [column_type(c) for c in columns], page, first, last)
                    else:
                        listed_rows[k] += items(own, page, first, last)
        return found, listed_rows


def column_type(column: dict) -> str:
    return "date" if column.get("format") == "date" else column.get("type") or "string"


def main(path: str, folder: str = os.path.join(HERE, "..")) -> None:
    with open(path, encoding="utf8") as file:
        request = json.load(file)
    found, listed = Reader.open(folder).read([[tuple(w) for w in page] for page in request["pages"]], request["fields"], request.get("lists"))
    for field, value in zip(request["fields"], found):
        print(f"{field['name']:28} {value.probability:.3f} {value.text!r}")
    for entry, values in zip(request.get("lists") or [], listed):
        for row in values:
            print(f"{entry['name']:28} {row}")


if __name__ == "__main__":
    main(*sys.argv[1:])
