"""Other values in a written document: names, days, numbers; the same one wherever it stands."""

import re

from chance import DICE, chance, digits, pick
from language import WORDS
from phrases import is_phrase, other_phrase
from values import Style
from written import Run, Written, marks_of

MADE = {"person": "person", "first": "first", "last": "last", "company": "company", "city": "city", "street": "street", "phone": "phone", "email": "email", "web": "web"}
# Values of these stand elsewhere in the text too, without a mark.
NAMED = {"person", "last", "company", "city", "id", "email", "phone"}


def swapped(written: Written, style: Style) -> list:
    """The blocks of a document with other values; those of no kind that can be made come from other documents."""
    others: dict[str, str] = {}
    kinds: dict[str, str] = {}
    texts: dict = {}
    for block in written.blocks:
        for line in block:
            for cell in line:
                for text, marks in cell:
                    for mark in marks:
                        texts[mark] = texts.get(mark, "") + text
    for mark in sorted(marks_of(written.blocks), key=lambda mark: (mark.place, mark.key)):
        asked, text = written.asked[mark.asked], texts[mark]
        kind = asked.swap
        if text not in others and len(text) > 2 and is_phrase(asked) and chance(0.15):
            others[text] = other_phrase(text, asked, written.language)
        if kind and text not in others and text.strip() and chance(0.85):
            others[text], kinds[text] = other(kind, text, style), kind
    named = sorted((text for text in others if kinds.get(text) in NAMED and len(text) > 3), key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(text)}(?!\w)" for text in named)) if named else None

    def run(entry: Run) -> Run:
        text, marks = entry
        if marks and text in others and any(texts[mark] == text for mark in marks):
            return others[text], marks
        return (pattern.sub(lambda found: others[found.group()], text), marks) if pattern else entry

    return [[[[run(entry) for entry in cell] for cell in line] for line in block] for block in written.blocks]


def other(kind: str, text: str, style: Style) -> str:
    if kind in MADE:
        made = style.text(MADE[kind])
        return made.upper() if text.isupper() else made
    if kind == "date":
        return other_date(text, style)
    return re.sub(r"\d+", other_number, text) if kind in ("number", "time", "zip") else other_id(text)


def other_number(found: re.Match) -> str:
    """As many digits; small ones stay possible as hours, minutes and percentages."""
    text = found.group()
    if len(text) <= 2:
        return str(DICE.randint(1, max(2, min(59, int(text) + 9)))).zfill(len(text))[-len(text) :]
    return text if int(text) == 0 else pick("123456789" if text[0] != "0" else "0") + digits(len(text) - 1)


def other_id(text: str) -> str:
    return "".join(pick("0123456789") if c.isdigit() else pick("ABCDEFGHJKLMNPRSTUVWXYZ") if c.isupper() and chance(0.5) else c for c in text)


def other_date(text: str, style: Style) -> str:
    months = WORDS["months"][style.language]
    for month in months:
        if re.search(rf"(?<!\w){month}(?!\w)", text, re.I):
            new = pick(months)
            text = re.sub(rf"(?<!\w){month}(?!\w)", new if text != text.upper() else new.upper(), text, flags=re.I)
            break

    def number(found: re.Match) -> str:
        text, value = found.group(), int(found.group())
        if len(text) == 4:
            return str(min(2035, max(1930, value + DICE.randint(-9, 9)))) if 1900 < value < 2100 else text
        if len(text) > 2:
            return text
        if value > 31:
            return str(DICE.randint(40, 99))
        return str(DICE.randint(1, 12) if value <= 12 else DICE.randint(13, 28)).zfill(len(text))

    return re.sub(r"\d+", number, text)
