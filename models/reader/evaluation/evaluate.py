"""Scores the network on documents with known answers.

    python evaluate.py <file of sets.py> [--weights run/weights.npz | --model ..] [--misses file]

Exact: without case, spaces and signs; near: at most 15 % of the letters wrong; days by day, numbers by value.
"""

import argparse
import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from compare import cast, day, near, plain, same

TRAINING = Path(__file__).parent.parent / "training"
sys.path.insert(0, str(TRAINING))

from read import Reader, onnx_scorer  # noqa: E402
from word_pieces import WordPieces  # noqa: E402


def torch_scorer(path: str):
    import torch

    from export_onnx import load

    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = load(path).to(device)

    def score(features: np.ndarray, ids: list[list[int]]) -> np.ndarray:
        fields = torch.zeros(1, len(ids), max(len(i) for i in ids), dtype=torch.int64)
        mask = torch.zeros(fields.shape)
        for k, one in enumerate(ids):
            fields[0, k, : len(one)], mask[0, k, : len(one)] = torch.tensor(one), 1
        with torch.no_grad():
            page = torch.tensor(features)[None].to(device)
            ones = lambda n: torch.ones(1, n, device=device)
            return model(page, ones(len(features)), fields.to(device), mask.to(device), ones(len(ids)))[0].cpu().numpy()

    return score


class Tally:
    def __init__(self):
        self.counts: dict = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
        self.sure: list[tuple[str, float, bool, bool]] = []  # set, probability, right, said nothing
        self.misses: list[str] = []

    def add(self, name: str, key: str, right: bool, close: bool) -> None:
        entry = self.counts[name][key]
        entry[0] += 1
        entry[1] += right
        entry[2] += right or close

    def report(self) -> str:
        lines = []
        for name, keys in self.counts.items():
            for title, chosen in (("fields", [k for k in keys if not k.startswith("list ") and k != "absent"]), ("absent answered null", ["absent"]), ("lists", [k for k in keys if k.startswith("list ")])):
                asked, right, close = (sum(keys[k][i] for k in chosen if k in keys) for i in range(3))
                if asked:
                    detail = ", ".join(f"{k.removeprefix('list ')} {keys[k][1]}/{keys[k][2]}/{keys[k][0]}" for k in chosen if k in keys)
                    lines.append(f"{name}, {title}: {100 * right / asked:.1f} % exact, {100 * close / asked:.1f} % near of {asked} | {detail}")
        return "\n".join(lines)


def judge_field(document: dict, field: dict, found, tally: Tally) -> None:
    expected = document["gold"].get(field["name"])
    value = cast(found.text, field)
    if document["set"].startswith("receipts"):
        if field["name"] == "total":
            right = same(value, cast(expected, field))
            close = right
        else:
            right = same(value, expected)
            close = near(value, expected) or field["name"] == "date" and day(value) is not None and day(value) == day(expected)
        key = field["name"]
    else:
        right = same(value, expected)
        close = expected is not None and not isinstance(expected, (bool, int, float)) and any(near(value, e) or len(plain(e)) > 3 and plain(e) in plain(value) for e in (expected if isinstance(expected, list) else [expected]))
        kind = "enum" if field.get("enum") else field.get("format") or field["type"]
        key = "absent" if expected is None else field["name"] if document["set"].startswith("invoices") else kind
    tally.add(document["set"], key, right, close)
    tally.sure.append((document["set"], found.probability, right or close, found.text is None))
    if not right:
        tally.misses.append(f"{document['set']} {document['id']} {field['name']}: {found.text!r} for {expected!r} ({found.probability:.2f}){' near' if close else ''}")


def judge_list(document: dict, listed: dict, got: list, tally: Tally) -> None:
    name, gold = document["set"], listed["gold"]
    if not listed["columns"]:
        for k in range(max(len(gold), len(got))):
            right = k < len(gold) and k < len(got) and same(got[k], gold[k])
            tally.add(name, "list items", right, False)
        if [plain(v) for v in got] != [plain(v) for v in gold]:
            tally.misses.append(f"{name} {document['id']} {listed['name']}: {got} for {gold}")
        return
    values = [{c["name"]: cast(text, c) for c, text in zip(listed["columns"], row)} for row in got]
    key = listed.get("unordered")
    for k, expected in enumerate(gold):
        if key:
            mine = plain(expected[key])
            row = next((v for v in values if near(v.get(key), expected[key]) or plain(v.get(key)) and (plain(v.get(key)).startswith(mine) or mine.startswith(plain(v.get(key))) and len(plain(v.get(key))) > 4)), {})
        else:
            row = values[k] if k < len(values) else {}
        for column in listed["columns"]:
            right = bool(row) if column["name"] == key else same(row.get(column["name"]), expected.get(column["name"]))
            tally.add(name, f"list {listed['name']}.{column['name']}" if key else "list cells", right, isinstance(expected.get(column["name"]), str) and near(row.get(column["name"]), expected[column["name"]]))
    if not key:
        for _ in range(len(values) - len(gold)):
            tally.add(name, "list rows too many", False, False)
    if len(values) != len(gold) or not key and any(not same(v.get(c["name"]), g.get(c["name"])) for v, g in zip(values, gold) for c in listed["columns"]):
        tally.misses.append(f"{name} {document['id']} {listed['name']}: {len(values)} rows for {len(gold)}: {json.dumps(got, ensure_ascii=False)[:400]}")


def evaluate(reader: Reader, documents: list[dict]) -> Tally:
    tally = Tally()
    for document in documents:
        found, listed = reader.read([[tuple(w) for w in page] for page in document["pages"]], document["fields"], document["lists"])
        for field, value in zip(document["fields"], found):
            judge_field(document, field, value, tally)
        for entry, rows in zip(document["lists"], listed):
            judge_list(document, entry, rows, tally)
    return tally


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("documents")
    options.add_argument("--weights")
    options.add_argument("--model", default=str(TRAINING.parent))
    options.add_argument("--temperature", type=float)
    options.add_argument("--misses")
    options.add_argument("--sure", help="writes what was answered with which probability, for calibrate.py")
    options = options.parse_args()
    with open(options.documents, encoding="utf8") as file:
        documents = json.load(file)
    if options.weights:
        reader = Reader(torch_scorer(options.weights), WordPieces.read(str(TRAINING / "data" / "vocab.txt")))
    else:
        reader = Reader.open(options.model)
    reader.temperature = options.temperature or reader.temperature
    tally = evaluate(reader, documents)
    print(tally.report())
    if options.misses:
        Path(options.misses).write_text("\n".join(tally.misses), encoding="utf8")
    if options.sure:
        Path(options.sure).write_text(json.dumps(tally.sure), encoding="utf8")


if __name__ == "__main__":
    main()
