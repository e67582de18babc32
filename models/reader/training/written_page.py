"""Draws a written document anew: other values, columns and lines, blocks left out; and asks for its fields under other names."""

import re

from blocks import prose
from chance import DICE, chance, pick, some
from document import Document, Part
from locales import LOCALES
from schemas import Question, camel, field_text, words_of
from surroundings import other_surroundings
from swaps import swapped
from values import Style
from written import Line, Mark, Run, Written, all_written, marks_of

WIDTH = 900.0


def written_document() -> Document:
    written = pick(all_written())
    style = Style(pick([name for name, locale in LOCALES.items() if locale.language == written.language]))
    style.size = float(pick([13, 14, 15, 16, 18]))
    style.mono = chance(0.4)
    blocks = swapped(written, style) if chance(0.8) else written.blocks
    blocks = other_surroundings(blocks, written)
    kept = [block for block in blocks if not chance(0.2)] if chance(0.4) else blocks
    kept = kept if len(kept) > 1 else blocks
    if chance(0.1):
        kept = DICE.sample(kept, len(kept))
    page = WrittenPage(Document(written.kind, style), written, kept)
    return page.draw()


class WrittenPage:
    def __init__(self, document: Document, written: Written, blocks: list[list[Line]]):
        self.document, self.written, self.style = document, written, document.style
        self.blocks = blocks
        self.there = marks_of(blocks)
        self.singles = [key for key, asked in written.asked.items() if "[]" not in key and any(mark.key == key for mark in self.there)]
        self.lists = [key for key, asked in written.asked.items() if key.endswith("[]") and key.count("[]") == 1]
        self.rows = self.rows_of_runs()

    # ---- where values stand

    def rows_of_runs(self) -> dict[int, tuple]:
        """For each run, by its identity, the rows of lists that reach over it: from the first to the last mark of a row."""
        runs = [run for block in self.blocks for line in block for cell in line for run in cell]
        reach: dict[tuple, list[int]] = {}
        own: list[set] = []
        for at, (_, marks) in enumerate(runs):
            own.append({row for mark in marks if (row := row_of(mark))})
            for row in own[-1]:
                reach.setdefault(row, [at, at])[1] = at
        out: dict[int, tuple] = {}
        for at, run in enumerate(runs):
            lists = {row[0] for row in own[at]}
            between = {row for row, (first, last) in reach.items() if first <= at <= last and row[0] not in lists}
            out[id(run)] = tuple(("row", self.lists.index(name), number) for name, number in own[at] | between if name in self.lists)
        return out

    def parts(self, cell: list[Run]) -> list[Part]:
        return [(run[0], (*self.facts(run[1]), *self.rows.get(id(run), ()))) for run in cell]

    def facts(self, marks: tuple[Mark, ...]):
        for mark in marks:
            if mark.asked in self.singles:
                yield ("fact", self.singles.index(mark.asked), mark.place)
            elif (row := row_of(mark)) and row[0] in self.lists and mark.asked.count("[]") == 1 and "." in mark.asked:
                yield ("cell", self.lists.index(row[0]), mark.asked.rpartition("[].")[2], row[1])

    # ---- the page

    def draw(self) -> Document:
        document, size = self.document, self.style.size
        beside = len(self.blocks) > 3 and chance(0.06)
        split = DICE.randint(1, len(self.blocks) - 1) if beside else len(self.blocks)
        lead, space = pick([1.2, 1.3, 1.5]), pick([0.4, 0.8, 1.2])
        filled = 0.15 if chance(0.2) else 0.0
        for blocks, x, width in ((self.blocks[:split], 50.0, 400.0 if beside else WIDTH), (self.blocks[split:], 500.0, 420.0)):
            y = 40.0
            for block in blocks:
                cells = [[self.parts(cell) for cell in line] for line in block]
                y = (self.columns if any(len(line) > 1 for line in cells) else self.lines)(cells, x, y, width, lead) + size * space
                if chance(filled):
                    y = prose(document, x, y, width) + size * space
        document.asks = self.ask
        return document

    def lines(self, lines: list, x: float, y: float, width: float, lead: float) -> float:
        """Text: as it was typed, or its long lines set anew."""
        texts: list[list[Part]] = []
        anew = chance(0.5)
        for line in lines:
            text = "".join(part for part, _ in line[0])
            last = "".join(part for part, _ in texts[-1]) if texts else ""
            if anew and len(last) > 50 and re.match(r"[^\W\d_]", text):
                texts[-1] = [*without_end(texts[-1]), (" ", shared(texts[-1][-1][1], line[0][0][1])), *line[0]]
            else:
                texts.append(list(line[0]))
        wide = width if width < WIDTH else pick([WIDTH, WIDTH, 700.0, 560.0])
        indented = chance(0.7)
        for text in texts:
            own = len(text[0][0]) - len(text[0][0].lstrip()) if text else 0
            y = self.document.wrap(x + (own * 8 if indented else 0), y, trimmed(text), wide, lead=lead)
        return y

    def columns(self, lines: list, x: float, y: float, width: float, lead: float) -> float:
        style, size = self.style, self.style.size
        if chance(0.12) and all(len(line) <= 2 for line in lines):
            return self.lines([[joined(line, pick([" ", " ", ": ", "  "]))] for line in lines], x, y, width, lead)
        wide = lambda parts: sum(style.width_of(c, size) for text, _ in parts for c in text.strip())
        most = pick([260.0, 340.0, 430.0])
        widths: list[float] = []
        for line in lines:
            for k, cell in enumerate(line):
                widths += [0.0] * (k + 1 - len(widths))
                if len(line) > 1:
                    widths[k] = max(widths[k], min(most, wide(cell)))
        gap = size * pick([0.8, 1.2, 2, 3, 5])
        if (over := sum(widths) + gap * (len(widths) - 1) - width) > 0:
            gap = max(size * 0.8, gap - over / len(widths))
        spread = max(1.0, (width - gap * len(widths)) / max(1.0, sum(widths))) if chance(0.3) else 1.0
        places = [x]
        for w in widths[:-1]:
            places.append(places[-1] + w * min(spread, 2.5) + gap)
        right = [k > 0 and chance(0.6) and holds_figures(lines, k) for k in range(len(widths))]
        for line in lines:
            if len(line) == 1:
                y = self.document.wrap(x, y, trimmed(line[0]), width, lead=lead)
                continue
            below = y + size * lead
            for k, cell in enumerate(line):
                if cell := trimmed(cell):
                    if right[k]:
                        self.document.put(places[k] + widths[k], y, cell, align="right")
                    else:
                        room = (places[k + 1] - gap * 0.5 if k + 1 < len(places) else x + width) - places[k]
                        below = max(below, self.document.wrap(places[k], y, cell, max(room, size * 6), lead=lead))
            y = below
        return y

    # ---- questions

    def ask(self, most: int) -> list[Question]:
        writer = SchemaWriter()
        lists: list[Question] = []
        for key in some(self.lists, 2, 1 if chance(0.85) else 0):
            lists += self.list_questions(key, writer)
        singles = [Question(writer.text(self.written.asked[key]), "single", self.singles.index(key)) for key in self.singles]
        gone = [a for key, a in self.written.asked.items() if "[]" not in key and key not in self.singles]
        missing = [Question(writer.text(a), "single", None) for a in [*gone, *self.written.absent] if "[]" not in a.key and not a.type.startswith("list")]
        DICE.shuffle(singles)
        DICE.shuffle(missing)
        out = [*lists[:8], *missing[: DICE.randint(1, 4)]]
        out = out[: most - 2] + singles[: max(2, most - len(out))]
        DICE.shuffle(out)
        return out[:most]

    def list_questions(self, key: str, writer: "SchemaWriter") -> list[Question]:
        number, listed = self.lists.index(key), self.written.asked[key]
        columns = [a for name, a in self.written.asked.items() if name.startswith(f"{key}.") and name.count("[]") == 1]
        name = writer.name(listed)
        if not columns:
            return [Question(field_text(name, "array", writer.description(listed)), "items", number)]
        out = [Question(field_text(name, "array", writer.description(listed)), "list", number)]
        for column in some(columns, 6, 1):
            out.append(Question(writer.text(column, name), "column", (number, column.key.rpartition("[].")[2])))
        return out


class SchemaWriter:
    """One programmer's way of naming fields."""

    def __init__(self):
        self.described = pick([0.0, 0.4, 0.8, 1.0])
        self.own = pick([0.1, 0.3, 0.6])
        self.humps = chance(0.2)

    def name(self, asked) -> str:
        name = asked.names[0] if chance(self.own) else pick(asked.names)
        return camel(words_of(name).replace(" ", "_")) if self.humps and "." not in name else name

    def description(self, asked) -> str | None:
        return pick(asked.descriptions) if asked.descriptions and chance(self.described) else None

    def text(self, asked, parent: str | None = None) -> str:
        kind = asked.type
        if kind == "date" and chance(0.3) or kind in ("number", "integer") and chance(0.06):
            kind = "string"
        choices = asked.choices if asked.choices and chance(0.8) else None
        return field_text(self.name(asked), kind, self.description(asked), choices, parent)


def holds_figures(lines: list, column: int) -> bool:
    """Whether all cells of a column but its title are figures."""
    texts = ("".join(part for part, _ in line[column]).strip() for line in lines[1:] if column < len(line))
    return all(re.fullmatch(r"[-+<>]?[\d.,' ]+\W*", text) for text in texts if text)


def row_of(mark: Mark) -> tuple[str, int] | None:
    """The list and the number of the row that a mark belongs to."""
    found = re.match(r"([^\d]+?)\.(\d+)(?:\.|$)", mark.key)
    return (f"{found.group(1)}[]", int(found.group(2))) if found else None


def shared(left: tuple, right: tuple) -> tuple:
    return tuple(mark for mark in left if mark in right)


def joined(line: list[list[Part]], separator: str) -> list[Part]:
    if len(line) < 2 or not trimmed(line[0]):
        return trimmed(line[-1])
    left, right = trimmed(line[0]), trimmed(line[1])
    if left[-1][0].rstrip()[-1:] in ":.?" or not right:
        separator = " "
    return [*left, (separator, shared(left[-1][1], right[0][1]) if right else ()), *right]


def without_end(parts: list[Part]) -> list[Part]:
    """Without the spaces at the end of a line."""
    text, marks = parts[-1]
    return [*parts[:-1], (text.rstrip(), marks)]


def trimmed(parts: list[Part]) -> list[Part]:
    parts = [part for part in parts if part[0]]
    while parts and not parts[0][0].strip():
        parts = parts[1:]
    while parts and not parts[-1][0].strip():
        parts = parts[:-1]
    if parts:
        parts = [(parts[0][0].lstrip(), parts[0][1]), *parts[1:]]
    return parts
