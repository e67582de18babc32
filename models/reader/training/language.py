"""The word lists of ../language and the names that prepare_names.py wrote."""

import json
import os

HERE = os.path.dirname(os.path.abspath(__file__))
DATA = os.environ.get("READER_DATA", os.path.join(HERE, "data"))


def _load(*path: str):
    with open(os.path.join(*path), encoding="utf8") as file:
        return json.load(file)


_LANGUAGE = os.path.join(HERE, "..", "language")
FACTS = {fact["key"]: fact for fact in _load(_LANGUAGE, "facts.json")}
COLUMNS = {column["key"]: column for column in _load(_LANGUAGE, "columns.json")}
TITLES = _load(_LANGUAGE, "titles.json")
WORDS = _load(_LANGUAGE, "words.json")
LABELS = _load(_LANGUAGE, "labels.json")
SENTENCES = _load(_LANGUAGE, "sentences.json")
NAMES = _load(DATA, "names.json")
for _names in NAMES.values():
    for _kind, _values in _names.items():
        if not _values and _kind != "state":
            _names[_kind] = NAMES["en_GB"][_kind]
