"""Reads ../language/written: documents with their values marked. README.md there tells the form.

    python written.py ../language/written/*.txt      # looks for mistakes
"""

import re
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

TYPES = {"string", "number", "integer", "boolean", "date", "list", "list of string", "list of number"}
SWAPS = {"person", "first", "last", "company", "city", "street", "zip", "phone", "email", "web", "id", "date", "number", "time"}
BREAK, RULE, COLUMN = "=====", "-----", "||"


@dataclass(frozen=True)
class Mark:
    """One place where a value stands: `jobs.2.title` is column `title` of row 2 of the list `jobs`."""

    key: str
    place: int

    @property
    def asked(self) -> str:
        return re.sub(r"\.\d+(?=\.|$)", "[]", self.key)


# Letters, with the marks around them, outermost first.
Run = tuple[str, tuple[Mark, ...]]
Line = list[list[Run]]  # cells


@dataclass(frozen=True)
class Asked:
    """A field that a schema can ask: `jobs[]` is a list, `jobs[].title` its column."""

    key: str
    names: list[str]
    type: str
    swap: str | None
    descriptions: list[str]
    choices: list[str]


@dataclass
class Written:
    kind: str
    language: str
    asked: dict[str, Asked] = field(default_factory=dict)
    absent: list[Asked] = field(default_factory=list)
    blocks: list[list[Line]] = field(default_factory=list)


class Mistake(Exception):
    pass


def parse_field(line: str) -> Asked:
    parts = [part.strip() for part in line.split("::")]
    if len(parts) < 2:
        raise Mistake(f"a field needs names :: type: {line!r}")
    key, *names = [name.strip() for name in parts[0].split("|") if name.strip()]
    kind, _, swap = parts[1].partition("@")
    choices = re.search(r"\((.*)\)", kind)
    kind, swap = re.sub(r"\(.*\)", "", kind).strip(), swap.strip() or None
    if kind not in TYPES or (swap and swap not in SWAPS):
        raise Mistake(f"unknown type or swap: {line!r}")
    descriptions = [text.strip() for text in parts[2].split("|") if text.strip()] if len(parts) > 2 else []
    own = key.removesuffix("[]").rpartition("[].")[2]
    return Asked(key, [own, *names], kind, swap, descriptions, [c.strip() for c in choices.group(1).split(",")] if choices else [])


def parse_runs(text: str) -> list[Run]:
    """`{{key=text}}`, also within one another and over lines."""
    runs: list[Run] = []
    around: list[tuple[Mark, ...]] = []
    at = 0

    def take(end: int) -> None:
        if end > at:
            runs.append((text[at:end], tuple(mark for marks in around for mark in marks)))

    for found in re.finditer(r"\{\{([A-Za-z0-9_.,\[\]]+)=|\}\}", text):
        take(found.start())
        if found.group(1):
            around.append(tuple(Mark(key, found.start()) for key in found.group(1).split(",")))
        elif around:
            around.pop()
        else:
            raise Mistake(f"}}}} without {{{{ near {text[max(0, found.start() - 40) : found.end()]!r}")
        at = found.end()
    take(len(text))
    if around:
        raise Mistake(f"not closed: {around}")
    return runs


def split_runs(runs: list[Run], separator: str) -> list[list[Run]]:
    out: list[list[Run]] = [[]]
    for text, marks in runs:
        for k, part in enumerate(text.split(separator)):
            if k:
                out.append([])
            if part:
                out[-1].append((part, marks))
    return out


def parse(text: str) -> Written:
    head, rule, body = text.partition("\n" + RULE + "\n")
    if not rule:
        raise Mistake("no line of ----- between the fields and the text")
    first, *lines = head.strip().split("\n")
    written = Written(*first.split()[:2])
    for line in filter(str.strip, lines):
        asked = parse_field(line.removeprefix("absent:").strip())
        if line.startswith("absent:"):
            written.absent.append(asked)
        elif asked.key in written.asked:
            raise Mistake(f"twice: {asked.key}")
        else:
            written.asked[asked.key] = asked
    block: list[Line] = []
    for line in [*split_runs(parse_runs(body.strip("\n")), "\n"), []]:
        if any(part.strip() for part, _ in line):
            block.append(split_runs(line, COLUMN))
        elif block:
            written.blocks.append(block)
            block = []
    find_mistakes(written)
    return written


def marks_of(blocks: list[list[Line]]) -> set[Mark]:
    return {mark for block in blocks for line in block for cell in line for _, marks in cell for mark in marks}


def find_mistakes(written: Written) -> None:
    used = {mark.asked for mark in marks_of(written.blocks)}
    if unknown := used - set(written.asked):
        raise Mistake(f"marked but not a field: {sorted(unknown)}")
    if unused := [key for key, asked in written.asked.items() if key not in used and asked.type != "list"]:
        raise Mistake(f"a field without a mark (write it as absent:): {unused}")
    if orphans := [key for key in written.asked if "[]." in key and key.split(".")[0] not in written.asked]:
        raise Mistake(f"a column without its list: {orphans}")


def read(path: str) -> list[Written]:
    out = []
    with open(path, encoding="utf8") as file:
        for number, text in enumerate(re.split(rf"^{BREAK}[ \t]*", file.read(), flags=re.M)):
            if text.strip():
                try:
                    out.append(parse(text))
                except (Mistake, TypeError) as mistake:
                    raise Mistake(f"{path}, document {number} ({text.strip().splitlines()[0]}): {mistake}") from None
    return out


@cache
def all_written() -> tuple[Written, ...]:
    folder = Path(__file__).parent.parent / "language" / "written"
    return tuple(written for path in sorted(folder.glob("*.txt")) for written in read(str(path)))


def main(paths: list[str]) -> None:
    for path in paths:
        documents = read(path)
        print(f"{path}: {len(documents)} documents, {sum(len(d.asked) for d in documents)} fields, {sum(len(d.absent) for d in documents)} absent")


if __name__ == "__main__":
    main(sys.argv[1:])
