"""A document while it is invented: words with boxes, the facts that stand in them, and the lists."""

from dataclasses import dataclass, field
from typing import Callable

from chance import DICE, chance, pick
from language import FACTS
from values import Style

# A mark on a character: ("fact", fact, occurrence), ("row", list, row), ("cell", list, column, row).
# A part of a line: (text, marks of all its characters).
Part = tuple[str, tuple]


@dataclass
class Fact:
    concept: str
    role: str | None
    kind: str
    text: str | None = None
    parts: list[Part] | None = None
    count: int = 0
    asked: dict | None = None  # names and descriptions of a fact that is in no list


@dataclass
class ListOf:
    """A list in the document: rows of columns, or plain items where there are no columns."""

    name: str
    columns: list[str]
    description: str | None = None


@dataclass
class Word:
    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    marks: list[tuple]
    page: int = 0


NARROW, WIDE = set("ilI.,:;'|!1jt()"), set("mwMW@%")


@dataclass
class Document:
    kind: str
    style: Style
    words: list[Word] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    lists: list[ListOf] = field(default_factory=list)
    unclear: set[str] = field(default_factory=set)  # concepts without an answer: never asked
    roles: dict[str, tuple[list[str], str]] = field(default_factory=dict)  # what a contract calls its parties: names of fields, own word
    page: int = 0
    asks: Callable[[int], list] | None = None  # its own questions, where it is not made of facts

    # ---- facts

    def fact(self, concept: str, text: str | None = None, role: str | None = None, kind: str | None = None, asked: dict | None = None) -> int:
        self.facts.append(Fact(concept, role, kind or FACTS.get(concept, {}).get("kind", "phrase"), text, asked=asked))
        return len(self.facts) - 1

    def find(self, concept: str, role: str | None = None) -> int | None:
        for number, fact in enumerate(self.facts):
            if fact.concept == concept and fact.role == role:
                return number
        return None

    def has(self, concept: str) -> bool:
        return any(fact.concept == concept and fact.count for fact in self.facts)

    def mark(self, number: int) -> tuple:
        """One more place where the fact stands."""
        fact = self.facts[number]
        fact.count += 1
        return (("fact", number, fact.count),)

    def money(self, amount: float, marks: tuple, form: str | None = None) -> list[Part]:
        """An amount as it is printed; the currency beside it is evidence of the currency."""
        style = self.style
        form = form or (style.money_form if chance(0.85) else "bare")
        text = style.number(abs(amount))
        if amount < 0:
            text = "-" + text if chance(0.85) else text + "-"
        if form == "bare":
            return [(text, marks)]
        code, sign = style.currency
        number = self.find("currency")
        here = self.mark(self.fact("currency", code) if number is None else number)
        return {
            "sign": [(sign, marks + here), (text, marks)],
            "sign apart": [(sign, here), (" ", ()), (text, marks)],
            "sign after": [(text, marks), (pick([" ", " ", ""]), ()), (sign, here)],
            "code": [(code, here), (" ", ()), (text, marks)],
            "code after": [(text, marks), (" ", ()), (code, here)],
        }[form]

    def value(self, concept: str, role: str | None = None) -> list[Part]:
        """The value of a fact, the same each time it is asked for."""
        number = self.find(concept, role)
        if number is None:
            number = self.fact(concept, None, role)
        fact = self.facts[number]
        if fact.text is None and fact.parts is None:
            if fact.kind == "money":
                fact.parts = [(f"{round(DICE.lognormvariate(4.5, 1.5), 2)}", ())]
            else:
                fact.text = self.style.text(fact.kind)
        here = self.mark(number)
        return self.money(float(fact.parts[0][0]), here) if fact.kind == "money" else [(fact.text, here)]

    def amount(self, concept: str, amount: float, form: str | None = None) -> list[Part]:
        number = self.find(concept)
        if number is None:
            number = self.fact(concept)
            self.facts[number].parts = [(f"{amount:.2f}", ())]
        return self.money(amount, self.mark(number), form)

    def label(self, concept: str) -> str:
        labels = FACTS[concept]["labels"]
        text = pick(labels[self.style.label_language] or labels["en"])
        if chance(0.04):
            other = pick(labels["en"]) if self.style.label_language != "en" else pick(labels[pick(["de", "fr", "es", "it", "nl"])])
            text = f"{text} / {other}"
        return text.upper() if chance(0.06) else text

    # ---- page

    def put(self, x: float, y: float, parts: list[Part], size: float | None = None, align: str = "left", bold: bool = False) -> float:
        """Writes one line and gives its width."""
        style = self.style
        size = size or style.size
        text, marks = "", []
        for part, here in parts:
            part = part.replace("\u00a0", " ")
            if style.upper and len(part.upper()) == len(part):
                part = part.upper()
            text += part
            marks += [here] * len(part)
        widths = [style.width_of(c, size, bold) for c in text]
        total = sum(widths)
        x -= total if align == "right" else total / 2 if align == "center" else 0
        if style.mono:
            x = round(x / (size * style.wide)) * size * style.wide
        start, at = None, x
        begin = x
        for i, c in enumerate(text + " "):
            if c != " " and start is None:
                start, begin = i, at
            elif c == " " and start is not None:
                self.words.append(Word(text[start:i], begin, y, at, y + size, marks[start:i], self.page))
                start = None
            at += widths[i] if i < len(widths) else 0
        return total

    def wrap(self, x: float, y: float, parts: list[Part], width: float, size: float | None = None, lead: float = 1.3, align: str = "left", bold: bool = False) -> float:
        """Writes parts over as many lines as they need; gives the y below."""
        size = size or self.style.size
        line: list[Part] = []
        used = 0.0
        for text, marks in parts:
            for k, chunk in enumerate(text.replace("\u00a0", " ").split(" ")):
                if k:
                    line.append((" ", marks))
                    used += self.style.width_of(" ", size, bold)
                long = sum(self.style.width_of(c, size, bold) for c in chunk)
                if used + long > width and any(t.strip() for t, _ in line) and chunk:
                    self.put(x, y, line, size, align, bold)
                    y += size * lead
                    line, used = [], 0.0
                if chunk:
                    line.append((chunk, marks))
                    used += long
        if any(t.strip() for t, _ in line):
            self.put(x, y, line, size, align, bold)
            y += size * lead
        return y

    def bottom(self) -> float:
        return max((w.y1 for w in self.words if w.page == self.page), default=0.0)

    def next_page(self) -> None:
        self.page += 1
