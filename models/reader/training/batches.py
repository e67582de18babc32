"""Samples for the trainer: a page of an invented document, questions, and where the answers stand; in batches of like length."""

import os
from collections import defaultdict

import numpy as np

from chance import DICE, chance, pick
from generator import invent
from language import DATA
from page_features import FEATURES, WINDOW, page_features
from scan import scan
from schemas import Question, ask
from word_pieces import WordPieces

MOST_FIELDS, FIELD_PIECES = 14, 28
# length of the longest page of a batch: pages in it
SIZES = {128: 208, 192: 144, 256: 104, 384: 68, 512: 48, 640: 36}
SINGLE, MANY = 0, 1


def spans_of(page, questions: list[Question]) -> list[tuple[int, list[list[int]]]]:
    """Per question: its mode and the pieces of each answer; piece 0 is [CLS]."""
    where: dict[tuple, list[int]] = defaultdict(list)
    for i, (word, start, end) in enumerate(page.places):
        marks = page.words[word][5]
        for mark in {m for c in range(start, min(end, len(marks))) for m in marks[c]}:
            where[mark].append(i + 1)
    facts, rows, cells = defaultdict(list), defaultdict(list), defaultdict(list)
    for mark, found in where.items():
        if mark[0] == "fact":
            facts[mark[1]].append(found)
        elif mark[0] == "row":
            rows[mark[1]].append(found)
        else:
            cells[mark[1], mark[2]].append(found)
    out = []
    for question in questions:
        if question.mode == "single":
            out.append((SINGLE, facts.get(question.target, [])))
        elif question.mode == "column":
            out.append((MANY, cells.get(question.target, [])))
        else:
            out.append((MANY, rows.get(question.target, [])))
    return out


def samples(pieces: WordPieces):
    """Each document is asked twice, scanned anew: inventing costs more than asking."""
    while True:
        document = invent()
        for _ in range(2):
            number = 0 if document.page == 0 else DICE.randint(0, document.page)
            words = [(w.text, w.x0, w.y0, w.x1, w.y1, w.marks) for w in scan([w for w in document.words if w.page == number])]
            if len(words) < 4:
                continue
            page = page_features(words, pieces)
            start = 0
            if len(page.features) > WINDOW - 1:
                starts = [i for i in range(len(page.features) - 200) if i == 0 or page.features[i][7] != page.features[i - 1][7]]
                start = pick(starts) if chance(0.5) else 0
            page = page.window(start)
            questions = ask(document, MOST_FIELDS)
            answers = spans_of(page, questions)
            features = np.array([(pieces.cls, *[0] * (FEATURES - 1)), *page.features], dtype=np.int16)
            if questions:
                yield features, [(pieces.encode(q.text, FIELD_PIECES), mode, found) for q, (mode, found) in zip(questions, answers)]


def collate(group: list, length: int) -> tuple:
    count = len(group)
    features = np.zeros((count, length, FEATURES), np.int16)
    lengths = np.zeros(count, np.int16)
    fields = np.zeros((count, MOST_FIELDS, FIELD_PIECES), np.int16)
    field_lengths = np.zeros((count, MOST_FIELDS), np.int16)
    modes = np.full((count, MOST_FIELDS), -1, np.int8)
    starts, ends, begins, inside = [], [], [], []
    for b, (page, questions) in enumerate(group):
        features[b, : len(page)], lengths[b] = page, len(page)
        for k, (ids, mode, answers) in enumerate(questions):
            fields[b, k, : len(ids)], field_lengths[b, k], modes[b, k] = ids, len(ids), mode
            base = (b * MOST_FIELDS + k) * length
            if mode == SINGLE and not answers:
                starts.append(base)
                ends.append(base)
            for answer in answers:
                if mode == SINGLE:
                    starts.append(base + answer[0])
                    ends.append(base + answer[-1])
                begins.append(base + answer[0])
                inside += [base + piece for piece in answer]
    return features, lengths, fields, field_lengths, modes, *(np.array(v, np.int32) for v in (starts, ends, begins, inside))


def batches(seed: int):
    DICE.seed(seed)
    pieces = WordPieces.read(os.path.join(DATA, "vocab.txt"))
    waiting: dict[int, list] = {length: [] for length in SIZES}
    for sample in samples(pieces):
        length = next(n for n in SIZES if len(sample[0]) <= n)
        waiting[length].append(sample)
        if len(waiting[length]) == SIZES[length]:
            yield collate(waiting[length], length)
            waiting[length] = []
