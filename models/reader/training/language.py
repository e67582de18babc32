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
TABLES = _load(_LANGUAGE, "tables.json")
AGREEMENTS = _load(_LANGUAGE, "agreements.json")
NAMES = _load(DATA, "names.json")
for _names in NAMES.values():
    for _kind, _values in _names.items():
        if not _values and _kind != "state":
            _names[_kind] = NAMES["en_GB"][_kind]


def _compound(pattern: str, noun: str, language: str) -> str:
    label = pattern.replace("{}", noun.title() if language == "en" else noun)
    if language in ("de", "nl") and not pattern.startswith("{} "):
        label = label.lower().replace("-nr", "-Nr")
    return label[:1].upper() + label[1:]


def _open_columns() -> dict[str, dict]:
    """Columns of tables of any kind: common headings, and compounds of a noun and a head."""
    out = {f"open {c['key']}": {**c, "labels": {language: [label] for language, label in c["labels"].items()}} for c in TABLES["columns"]}
    for noun in LABELS["nouns"]:
        for head in LABELS["heads"]:
            labels = {language: [_compound(pattern, noun[language], language) for pattern in patterns] for language, patterns in head["labels"].items()}
            out[f"open {noun['en']} {head['key']}"] = {"kind": head["kind"], "names": [f"{noun['en']}_{name}" for name in head["names"]], "labels": labels}
    return out


COMMON_COLUMNS = [f"open {c['key']}" for c in TABLES["columns"]]
_OPEN = _open_columns()
COMPOUND_COLUMNS = [c for c in _OPEN if c not in COMMON_COLUMNS]
COLUMNS.update(_OPEN)
