"""What a scanner and a reader of text do to words: confused letters, joined and torn words, slanted lines, boxes that are not tight."""

from chance import DICE, chance, pick
from document import Word

CONFUSED = {"O": "0", "0": "O", "l": "1", "1": "l", "I": "1", "S": "5", "5": "S", "B": "8", "8": "B", "e": "c", "c": "e", "m": "rn", "n": "ri", ".": ",", ",": ".", "a": "o", "u": "v", "é": "e", "ü": "u", "ö": "o", "ä": "a", "g": "q", "Z": "2", "G": "6", ":": ".", "T": "I", "h": "b", "E": "F", "i": "l", "ß": "B", "ó": "o", "ł": "l"}  # fmt: skip

# (wrong letters, joined words, shaken boxes)
CLEAN, FAIR, POOR = (0.0, 0.0, 0.0), (0.006, 0.02, 0.05), (0.025, 0.09, 0.12)


def _misread(word: Word, rate: float) -> None:
    if not any(c in CONFUSED for c in word.text) or DICE.random() >= rate * len(word.text):
        return
    k = DICE.randrange(len(word.text))
    wrong = CONFUSED.get(word.text[k])
    if wrong and not (word.text[k].isdigit() and chance(0.7)):
        word.text = word.text[:k] + wrong + word.text[k + 1 :]
        word.marks = word.marks[:k] + [word.marks[k]] * len(wrong) + word.marks[k + 1 :]


def _join_and_tear(words: list[Word], joined: float, torn: float) -> list[Word]:
    out: list[Word] = []
    for word in words:
        height = word.y1 - word.y0
        last = out[-1] if out else None
        if last and DICE.random() < joined and abs(last.y0 - word.y0) < 0.4 * height and 0 <= word.x0 - last.x1 < 0.6 * height:
            out[-1] = Word(last.text + word.text, last.x0, last.y0, word.x1, max(last.y1, word.y1), last.marks + word.marks, word.page)
        elif len(word.text) > 5 and DICE.random() < torn:
            k = DICE.randint(2, len(word.text) - 2)
            middle = word.x0 + (word.x1 - word.x0) * k / len(word.text)
            out.append(Word(word.text[:k], word.x0, word.y0, middle - 1, word.y1, word.marks[:k], word.page))
            out.append(Word(word.text[k:], middle + 1, word.y0, word.x1, word.y1, word.marks[k:], word.page))
        else:
            out.append(word)
    return out


def _coarse(words: list[Word]) -> list[Word]:
    """Boxes of whole segments, words placed in them by counting characters: what many data sets and readers give."""
    out: list[Word] = []
    group: list[Word] = []

    def flush() -> None:
        if not group:
            return
        x0, x1 = group[0].x0, group[-1].x1
        y0, y1 = min(w.y0 for w in group), max(w.y1 for w in group)
        step = (x1 - x0) / max(1, sum(len(w.text) for w in group) + len(group) - 1)
        at = 0
        for w in group:
            out.append(Word(w.text, x0 + at * step, y0, x0 + (at + len(w.text)) * step, y1, w.marks, w.page))
            at += len(w.text) + 1
        group.clear()

    for word in words:
        if group and not (abs(group[-1].y0 - word.y0) < 2 and 0 <= word.x0 - group[-1].x1 < 0.9 * (word.y1 - word.y0)):
            flush()
        group.append(word)
    flush()
    return out


def scan(words: list[Word]) -> list[Word]:
    words = [Word(w.text, w.x0, w.y0, w.x1, w.y1, w.marks, w.page) for w in words]
    misread, joined, shaken = pick([CLEAN] * 9 + [FAIR] * 7 + [POOR] * 4)
    if chance(0.3):
        words = _coarse(words)
    if misread:
        slope = DICE.gauss(0, 0.006) if chance(0.5) else 0.0
        bend = DICE.gauss(0, 0.000004) if chance(0.2) else 0.0
        for word in words:
            _misread(word, misread)
            height = word.y1 - word.y0
            dx, dy = DICE.gauss(0, shaken * height * 0.4), DICE.gauss(0, shaken * height * 0.5)
            dy += slope * word.x0 + bend * (word.x0 - 500) ** 2
            tall = max(2.0, height * (1 + DICE.gauss(0, shaken * 0.5)))
            word.x0, word.x1 = word.x0 + dx, word.x1 + dx
            word.y0, word.y1 = word.y0 + dy, word.y0 + dy + tall
        words = [w for w in words if any(w.marks) or not chance(0.004)]
        words = _join_and_tear(words, joined, 0.015 if misread == POOR[0] else 0.002)
    if chance(0.12):
        for word in words:
            if len(word.text.lower()) == len(word.text):
                word.text = word.text.lower()
    stretch = DICE.uniform(0.75, 1.3)
    for word in words:
        word.x0, word.x1 = word.x0 * stretch, word.x1 * stretch
    return words
