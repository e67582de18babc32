"""From scores to values: the reference that the runtime follows.

scores of a field: [T, 4] over the pieces of a window, piece 0 being [CLS] = nothing: start, end, begins, inside.
"""

import re
import unicodedata
from dataclasses import dataclass

import numpy as np

from page_features import Page

BEST_EDGES = 10  # starts and ends that are paired
LONGEST = 150  # pieces of a value
SAME_PLACES = 6  # other places looked at for the same text
INSIDE_BLOCK, ROW_BEGINS, IN_COLUMN, LIKELY_CELL, IN_ROW, IN_ITEM = 0.4, 0.5, 0.5, 0.1, 0.25, 0.5
ONE_WORD = ("number", "integer", "boolean")


@dataclass
class Found:
    text: str | None  # None: the page does not say it
    probability: float
    pieces: list[int]


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max())
    return e / e.sum()


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", text.lower()))


def text_of(pieces: list[int], page: Page) -> str:
    """The text of pieces (1 = the first after [CLS]). A word is taken whole where letters or digits would be cut; a label that sticks to a value stays out."""
    spans: dict[int, tuple[int, int]] = {}
    for piece in pieces:
        word, start, end = page.places[piece - 1]
        if word in spans:
            start, end = min(start, spans[word][0]), max(end, spans[word][1])
        spans[word] = (start, end)
    out = []
    for word in sorted(spans):
        start, end = spans[word]
        text = page.words[word][0]
        joined = lambda k: text[k - 1].isalnum() or text[k - 1] in ".," and k > 1 and text[k - 2].isdigit() and text[k].isdigit()
        while start > 0 and text[start].isalnum() and joined(start):
            start -= 1
        goes_on = lambda k: text[k].isalnum() or text[k] in ".," and k + 1 < len(text) and text[k + 1].isdigit() and text[k - 1].isdigit()
        while end < len(text) and text[end - 1].isalnum() and goes_on(end):
            end += 1
        out.append(text[start:end])
    return " ".join(out)


def best_span(start: np.ndarray, end: np.ndarray, begins: np.ndarray) -> tuple[float, int, int]:
    """Where a value begins again inside a span, the span is two places of one value."""
    best, most = (0.0, 0, 0), 0.0
    for a in np.argsort(-start[1:], kind="stable")[:BEST_EDGES] + 1:
        for b in np.argsort(-end[1:], kind="stable")[:BEST_EDGES] + 1:
            if not a <= b <= a + LONGEST:
                continue
            once = start[a] * end[b] * (1 - (begins[a + 1 : b + 1].max() if b > a else 0))
            if once > most:
                best, most = (float(start[a] * end[b]), int(a), int(b)), once
    return best


def single(scores: np.ndarray, page: Page, temperature: float) -> Found:
    """The best span, or nothing. The probability is that of the text, wherever it stands."""
    start, end = softmax(scores[:, 0]), softmax(scores[:, 1])
    soft_start, soft_end = softmax(scores[:, 0] / temperature), softmax(scores[:, 1] / temperature)
    mass, a, b = best_span(start, end, sigmoid(scores[:, 2]))
    if mass <= start[0] * end[0]:
        return Found(None, float(soft_start[0] * soft_end[0]), [])
    pieces = list(range(a, b + 1))
    row = lambda piece: page.features[piece - 1][7]
    if row(a) != row(b):
        # Beside a block of several rows stand other things.
        inside = sigmoid(scores[:, 3])
        pieces = [p for p in pieces if p in (a, b) or inside[p] > INSIDE_BLOCK]
    text = text_of(pieces, page)
    first, last = soft_start[a], soft_end[b]
    for x in np.argsort(-start[1:], kind="stable")[:SAME_PLACES] + 1:
        for y in np.argsort(-end[1:], kind="stable")[:SAME_PLACES] + 1:
            if x != a and y != b and 0 <= y - x <= LONGEST and abs((y - x) - (b - a)) <= 2 and plain(text_of(list(range(x, y + 1)), page)) == plain(text):
                first, last = first + soft_start[x], last + soft_end[y]
    return Found(text, float(min(1, first) * min(1, last)), pieces)


def rows(scores: np.ndarray, columns: list[np.ndarray], types: list[str], page: Page, first: int, last: int) -> list[list[str | None]]:
    """Rows of a list of objects: the list's own field says where rows begin, the columns what is inside. Only rows that begin at pieces first to last."""
    begins, inside = sigmoid(scores[:, 2]), sigmoid(scores[:, 3])
    starts = [t for t in range(1, len(begins)) if begins[t] > ROW_BEGINS]
    cells_of = [sigmoid(column[:, 3]) for column in columns]
    row = lambda piece: page.features[piece - 1][7]
    word_of = lambda piece: page.places[piece - 1][0]
    out = []
    for start, stop in zip(starts, [*starts[1:], len(begins)]):
        if not first <= start <= last:
            continue
        own = [t for t in range(start, stop) if inside[t] > IN_ROW or row(t) == row(start)]
        # A piece belongs to the column that is surest of it.
        chosen = [[t for t in own if sure[t] > IN_COLUMN and all(sure[t] >= other[t] for other in cells_of)] for sure in cells_of]
        taken = {word_of(t) for pieces in chosen for t in pieces}
        cells: list[str | None] = []
        for sure, type_, pieces in zip(cells_of, types, chosen):
            if not pieces:
                # Nothing sure: the likeliest word that no column has.
                free = [t for t in own if word_of(t) not in taken]
                best = max(free, key=lambda t: sure[t], default=None)
                if best is not None and sure[best] > LIKELY_CELL:
                    pieces = [t for t in free if word_of(t) == word_of(best) and sure[t] > LIKELY_CELL / 2]
            elif type_ in ONE_WORD:
                # One value: the surest word.
                word = word_of(max(pieces, key=lambda t: sure[t]))
                pieces = [t for t in pieces if word_of(t) == word]
            cells.append(text_of(pieces, page) if pieces else None)
        if any(cells):
            out.append(cells)
    return out


def items(scores: np.ndarray, page: Page, first: int, last: int) -> list[str]:
    """A list of plain values: each begins where the field says, and goes on while it is inside."""
    begins, inside = sigmoid(scores[:, 2]), sigmoid(scores[:, 3])
    starts = [t for t in range(1, len(begins)) if begins[t] > ROW_BEGINS]
    out = []
    for start, stop in zip(starts, [*starts[1:], len(begins)]):
        if not first <= start <= last:
            continue
        pieces = [start]
        for t in range(start + 1, stop):
            if inside[t] <= IN_ITEM:
                break
            pieces.append(t)
        out.append(text_of(pieces, page))
    return out
