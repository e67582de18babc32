"""Words with boxes -> rows in reading order -> pieces with places. The runtime does the same, number by number."""

from dataclasses import dataclass

from word_pieces import WordPieces

# A piece: id, left, right, middle, height, gap before, gap above, row, line. All but the id are 0 for [CLS] and for fields.
FEATURES = 9
# Pieces that are read at once, [CLS] among them, and how far the next stretch begins behind it.
WINDOW, STEP = 640, 440

HEIGHTS = (0.5, 0.65, 0.8, 0.9, 1.1, 1.25, 1.5, 1.8, 2.2, 2.8, 3.6, 5.0)
GAPS = (0.1, 0.25, 0.4, 0.6, 0.9, 1.4, 2.2, 3.5, 5.5, 9.0, 15.0, 25.0)
ROW_GAPS = (0.2, 0.4, 0.6, 0.8, 1.0, 1.3, 1.7, 2.3, 3.2, 5.0, 8.0, 14.0)
FIRST, CONTINUED = 14, 15  # gaps of the first word of a row, and of a word's further pieces
MOST_ROWS, MOST_LINES, GRID = 250, 500, 1000
ROWS_LOOKED_AT = 8


def bucket(value: float, edges: tuple[float, ...]) -> int:
    for i, edge in enumerate(edges):
        if value < edge:
            return i
    return len(edges)


def order_rows(boxes: list[tuple]) -> list[tuple[int, int]]:
    """boxes: (text, x0, y0, x1, y1, ...), y downwards. Gives (row, index of the box) row by row, each from left to right."""
    rows: list[list] = []  # [top, bottom, indices]
    for i in sorted(range(len(boxes)), key=lambda i: boxes[i][2] + boxes[i][4]):
        _, x0, y0, x1, y1, *_ = boxes[i]
        best, most = None, 0.5
        for row in rows[-ROWS_LOOKED_AT:]:
            shared = (min(row[1], y1) - max(row[0], y0)) / max(1e-9, min(row[1] - row[0], y1 - y0))
            if shared <= most:
                continue
            if any(min(boxes[k][3], x1) - max(boxes[k][1], x0) > 0.5 * min(boxes[k][3] - boxes[k][1], x1 - x0) for k in row[2]):
                continue
            best, most = row, shared
        if best is None:
            rows.append([y0, y1, [i]])
        else:
            best[2].append(i)
            best[0] += (y0 - best[0]) / len(best[2])
            best[1] += (y1 - best[1]) / len(best[2])
    rows.sort(key=lambda row: row[0] + row[1])
    return [(r, i) for r, row in enumerate(rows) for i in sorted(row[2], key=lambda i: boxes[i][1])]


@dataclass
class Page:
    """A page as the network reads it. places: (word, first character, after the last) of each piece; words in reading order."""

    features: list[tuple[int, ...]]
    places: list[tuple[int, int, int]]
    words: list[tuple]

    def window(self, start: int) -> "Page":
        return Page(self.features[start : start + WINDOW - 1], self.places[start : start + WINDOW - 1], self.words)


def page_features(boxes: list[tuple], pieces: WordPieces) -> Page:
    if not boxes:
        return Page([], [], [])
    left, top = min(b[1] for b in boxes), min(b[2] for b in boxes)
    # The frame of the text, not of the paper: scans have margins of any size.
    across = GRID / max(1e-6, max(b[3] for b in boxes) - left)
    down = GRID / max(1e-6, max(b[4] for b in boxes) - top)
    heights = sorted(b[4] - b[2] for b in boxes)
    usual = max(1e-6, heights[len(heights) // 2])
    place = lambda value: 1 + min(GRID, max(0, int(value)))
    features, places, words = [], [], []
    last_row, last_right, last_middle, row_gap = -1, 0.0, None, 0
    for row, i in order_rows(boxes):
        text, x0, y0, x1, y1, *_ = boxes[i]
        middle = (y0 + y1) / 2
        if row != last_row:
            row_gap = FIRST if last_middle is None else 1 + bucket((middle - last_middle) / usual - 0.5, ROW_GAPS)
            last_row, last_middle, gap = row, middle, FIRST
        else:
            gap = 1 + bucket((x0 - last_right) / usual, GAPS)
        last_right = x1
        common = (place((x0 - left) * across), place((x1 - left) * across), place((middle - top) * down), 1 + bucket((y1 - y0) / usual, HEIGHTS))
        line = 1 + min(MOST_LINES, int(2 * (middle - top) / usual))
        for k, piece in enumerate(pieces.cut(text)):
            features.append((piece.id, *common, gap if k == 0 else CONTINUED, row_gap, 1 + min(row, MOST_ROWS), line))
            places.append((len(words), piece.start, piece.end))
        words.append(boxes[i])
    return Page(features, places, words)
