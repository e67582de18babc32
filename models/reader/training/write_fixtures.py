"""Writes ../fixtures: documents with the tensors and answers that any implementation must give.

    python write_fixtures.py

Features and ids are exact; scores differ in the last digits from machine to machine, so texts and pieces are what to compare.
"""

import json
import os

from chance import DICE
from generator import invent
from page_features import page_features
from read import FIELD_PIECES, HERE, Reader, text_of_field

FIELDS = [
    {"name": "seller.name", "type": "string", "description": "Company that issued it"},
    {"name": "date", "type": "string", "format": "date"},
    {"name": "totals.totalAmount", "type": "number", "description": "Total to pay"},
    {"name": "currency", "type": "string", "enum": ["EUR", "USD", "GBP"]},
    {"name": "flight_number", "type": "string"},
]
LISTS = [{"name": "items", "description": "The positions", "columns": [{"name": "description", "type": "string"}, {"name": "quantity", "type": "number"}, {"name": "amount", "type": "number"}]}]
LETTERS = ["Größe ﬁne №12 naïve", "Žluťoučký 東京 ₹1,299.50", "Total: 8,70€ x2"]


def words_of(kind: str, seed: int) -> list[list[tuple]]:
    DICE.seed(seed)
    document = invent(kind)
    return [[(w.text, round(w.x0, 1), round(w.y0, 1), round(w.x1, 1), round(w.y1, 1)) for w in document.words if w.page == page] for page in range(document.page + 1)]


def lines(texts: list[str]) -> list[list[tuple]]:
    page = []
    for row, text in enumerate(texts):
        at = 0
        for word in text.split():
            page.append((word, at * 8, row * 20, (at + len(word)) * 8, row * 20 + 14))
            at += len(word) + 1
    return [page]


def fixture(reader: Reader, pages: list[list[tuple]], fields: list[dict], lists: list[dict]) -> dict:
    texts = [text_of_field(f) for f in fields]
    for listed in lists:
        texts += [text_of_field({**listed, "type": "array"})] + [text_of_field(c, listed["name"]) for c in listed["columns"]]
    found, rows = reader.read(pages, fields, lists)
    return {
        "pages": pages,
        "fields": fields,
        "lists": lists,
        "fieldTexts": texts,
        "fieldIds": [reader.pieces.encode(text, FIELD_PIECES) for text in texts],
        "features": [page_features(page, reader.pieces).features for page in pages],
        "found": [{"text": f.text, "probability": round(f.probability, 3), "pieces": f.pieces} for f in found],
        "rows": rows,
    }


def main() -> None:
    reader = Reader.open(os.path.join(HERE, ".."))
    documents = {"receipt": words_of("receipt", 6), "invoice": words_of("invoice", 4), "long-invoice": words_of("invoice", 2210), "letters": lines(LETTERS)}
    for name, pages in documents.items():
        with open(os.path.join(HERE, "..", "fixtures", f"{name}.json"), "w", encoding="utf8") as file:
            json.dump(fixture(reader, pages, FIELDS, LISTS), file, ensure_ascii=False)


if __name__ == "__main__":
    main()
