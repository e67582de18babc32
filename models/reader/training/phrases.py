"""Values that other written documents have for fields of the same name."""

from collections import defaultdict
from functools import cache

from chance import pick
from schemas import words_of
from written import Asked, Mark, all_written

LONGEST = 60


@cache
def _phrases() -> dict[tuple[str, str], list[str]]:
    """Short values by the language and one of the names of their field."""
    out: dict[tuple[str, str], list[str]] = defaultdict(list)
    for written in all_written():
        texts: dict[Mark, str] = defaultdict(str)
        for text, marks in (run for block in written.blocks for line in block for cell in line for run in cell):
            for mark in marks:
                texts[mark] += text
        for mark, text in texts.items():
            asked = written.asked[mark.asked]
            if is_phrase(asked) and 2 < len(text) <= LONGEST:
                for name in asked.names:
                    out[written.language, words_of(name)].append(text)
    return out


def is_phrase(asked: Asked) -> bool:
    return asked.type == "string" and not asked.swap and not asked.choices


def other_phrase(text: str, asked: Asked, language: str) -> str:
    """A value of about the same length that another document has for a field of one of these names, or the same."""
    fits = lambda other: 0.5 * len(text) <= len(other) <= 1.8 * len(text) and other[0].isupper() == text[0].isupper()
    found = [other for name in asked.names for other in _phrases().get((language, words_of(name)), ()) if fits(other)]
    return pick(found) if found else text
