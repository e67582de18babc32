"""Cuts words into the pieces that the network knows, and keeps where their letters stand."""

import unicodedata
from functools import lru_cache
from typing import NamedTuple

LONGEST_PIECE = 18


class Piece(NamedTuple):
    id: int
    start: int  # first character of the word
    end: int  # after the last


class WordPieces:
    def __init__(self, pieces: list[str]):
        self.pieces = pieces
        self.ids = {piece: i for i, piece in enumerate(pieces)}
        self.unknown, self.cls, self.sep = self.ids["[UNK]"], self.ids["[CLS]"], self.ids["[SEP]"]
        self.cut = lru_cache(maxsize=200_000)(self._cut)

    @classmethod
    def read(cls, path: str) -> "WordPieces":
        with open(path, encoding="utf8") as file:
            return cls(file.read().rstrip("\n").split("\n"))

    @staticmethod
    def letters(text: str) -> list[str]:
        """Small letters without accents."""
        return [d for c in text for d in unicodedata.normalize("NFKD", c).lower() if unicodedata.category(d) != "Mn"]

    def _cut(self, text: str) -> tuple[Piece, ...]:
        letters: list[str] = []
        places: list[int] = []
        for place, character in enumerate(text):
            for letter in self.letters(character):
                letters.append(letter)
                places.append(place)
        pieces: list[Piece] = []
        start = 0
        while start < len(letters):
            if not letters[start].isalnum():
                pieces.append(Piece(self.ids.get(letters[start], self.unknown), places[start], places[start] + 1))
                start += 1
                continue
            end = start
            while end < len(letters) and letters[end].isalnum():
                end += 1
            pieces += self._cut_run(letters, places, start, end)
            start = end
        return tuple(pieces)

    def _cut_run(self, letters: list[str], places: list[int], start: int, end: int) -> list[Piece]:
        """A run of letters and digits: the longest known piece first; a letter that is in no piece is unknown alone."""
        pieces = []
        at = start
        while at < end:
            for stop in range(min(end, at + LONGEST_PIECE), at, -1):
                piece = ("" if at == start else "##") + "".join(letters[at:stop])
                if piece in self.ids:
                    pieces.append(Piece(self.ids[piece], places[at], places[stop - 1] + 1))
                    at = stop
                    break
            else:
                pieces.append(Piece(self.unknown, places[at], places[at] + 1))
                at += 1
        return pieces

    def encode(self, text: str, most: int) -> list[int]:
        """The ids of a field's text, between [CLS] and [SEP]."""
        ids = [self.cls] + [piece.id for word in text.split() for piece in self.cut(word)]
        return ids[: most - 1] + [self.sep]
