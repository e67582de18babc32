"""Picks the temperature at which probabilities are honest, writes calibration.json and draws how often answers are right.

    python calibrate.py <development file of sets.py> <model folder> <picture>

Invented documents of a seed that no training used, every fourth development receipt, the written documents, and texts by others that are harder than what was trained on, count alike. Of the invented ones, a third are written documents, most of which were trained on.
"""

import json
import sys
from pathlib import Path

import numpy as np

from compare import plain
from evaluate import TRAINING, evaluate
from reliability_plot import draw, reliability

from batches import FIELD_PIECES, spans_of  # noqa: E402
from chance import DICE  # noqa: E402
from decode import single, text_of  # noqa: E402
from generator import invent  # noqa: E402
from page_features import FEATURES, WINDOW, page_features  # noqa: E402
from read import Reader, onnx_scorer  # noqa: E402
from scan import scan  # noqa: E402
from schemas import ask  # noqa: E402
from word_pieces import WordPieces  # noqa: E402

TEMPERATURES = (1.0, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
SEED, INVENTED = 7_000_000_001, 150


def invented(score, pieces: WordPieces) -> list[tuple]:
    """(scores, page, right answers) of fields of invented documents."""
    DICE.seed(SEED)
    out = []
    for _ in range(INVENTED):
        document = invent()
        words = [(w.text, w.x0, w.y0, w.x1, w.y1, w.marks) for w in scan([w for w in document.words if w.page == 0])]
        page = page_features(words, pieces)
        questions = [q for q in ask(document, 12) if q.mode == "single"]
        if not questions or not 4 <= len(page.features) < WINDOW:
            continue
        features = np.array([(pieces.cls, *[0] * (FEATURES - 1)), *page.features], np.int64)
        scores = score(features, [pieces.encode(q.text, FIELD_PIECES) for q in questions])
        for own, (_, places) in zip(scores, spans_of(page, questions)):
            out.append((own, page, {plain(text_of(place, page)) for place in places}))
    return out


def log_loss(sure: np.ndarray, right: np.ndarray) -> float:
    sure = np.clip(sure, 0.002, 0.998)
    return float(-np.mean(np.where(right, np.log(sure), np.log(1 - sure))))


def main(development: str, folder: str, picture: str) -> None:
    pieces, kept = WordPieces.read(f"{folder}/vocab.txt"), {}
    fresh = onnx_scorer(folder, 2)

    def score(features: np.ndarray, ids: list[list[int]]) -> np.ndarray:
        key = (features.tobytes(), str(ids))
        if key not in kept:
            kept[key] = fresh(features, ids)
        return kept[key]

    with open(development, encoding="utf8") as file:
        documents = json.load(file)
    documents = [d for k, d in enumerate(documents) if not d["set"].startswith("receipts") or k % 4 == 0]
    made = invented(score, pieces)
    best, curves = (np.inf, 1.0), {}
    for temperature in TEMPERATURES:
        tally = evaluate(Reader(score, pieces, temperature), documents)
        groups = {name: [(p, right) for own, p, right, _ in tally.sure if own.startswith(key)] for name, key in (("receipts 0-499", "receipts"), ("written documents", "written"), ("texts by others", "texts"))}
        found = [(single(own, page, temperature), right) for own, page, right in made]
        groups["invented documents"] = [(f.probability, plain(f.text or "") in right if right else f.text is None) for f, right in found]
        arrays = {name: tuple(np.array(v) for v in zip(*pairs)) for name, pairs in groups.items()}
        losses = {name: log_loss(sure, right) for name, (sure, right) in arrays.items()}
        mean = float(np.mean(list(losses.values())))
        print(f"temperature {temperature:g}: log loss {mean:.4f} " + ", ".join(f"{k} {v:.4f}" for k, v in losses.items()), flush=True)
        if mean < best[0]:
            best, curves = (mean, temperature), {name: reliability(sure, right) for name, (sure, right) in arrays.items()}
    for name, points in curves.items():
        print(name + ": " + ", ".join(f"{x:.2f}: {y:.2f} of {n}" for x, y, n in points))
    Path(folder, "calibration.json").write_text(f'{{ "temperature": {best[1]} }}\n', encoding="utf8")
    draw(curves, f"Document reader, temperature {best[1]:g}", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
