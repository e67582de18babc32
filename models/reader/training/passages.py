"""Paragraphs of SQuAD with their questions as fields: to find in running text what a description means."""

import json
import os
import re
from functools import cache

from chance import DICE, chance, pick
from document import Document, Part
from language import DATA
from locales import LOCALES
from schemas import Question, field_text
from values import Style

# The words of a question that say what kind of answer is wanted, and how a field would say it.
ASKED = {"when": ["date", "time", "year"], "who": ["name", "person", "who"], "whom": ["person"], "where": ["place", "location", "where"], "how many": ["count", "number"], "how much": ["amount"], "why": ["reason"], "which": [], "what": [], "how": ["way"]}
DULL = set("a an the of in on at by to from for with is are was were be been did do does has have had that this these those it its their his her and or as than into about what which who whom when where why how many much name kind type".split())
MOST = 1800  # letters of a page


@cache
def paragraphs() -> list[dict]:
    path = os.path.join(DATA, "squad.json")
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path}: the squad_train.json of ../../assistant/training/prepare_squad.py")
    with open(path, encoding="utf8") as file:
        return [p for article in json.load(file) for p in article["paragraphs"] if len(p["context"]) <= MOST]


def passage() -> Document:
    paragraph = pick(paragraphs())
    style = Style(pick([name for name, locale in LOCALES.items() if locale.language == "en"]))
    document = Document("passage", style)
    style.size = float(pick([14, 15, 16, 18]))
    style.mono = chance(0.3)
    questions = DICE.sample(paragraph["qas"], min(len(paragraph["qas"]), 12))
    spans = []
    for number, question in enumerate(questions):
        for answer in question["answers"][:1]:
            spans.append((answer["answer_start"], answer["answer_start"] + len(answer["text"]), ("fact", number, 1)))
    document.wrap(pick([40.0, 80.0, 120.0]), 50.0, marked(paragraph["context"], spans), pick([900.0, 760.0, 600.0, 480.0]), lead=pick([1.2, 1.35, 1.6]))
    described = pick([0.5, 0.8, 1.0])

    def ask(most: int) -> list[Question]:
        out = []
        for number, question in enumerate(questions[:most]):
            answered = bool(question["answers"])
            full = chance(described) or not answered
            out.append(Question(field_text(name_of(question["question"]), "string", question["question"] if full else None), "single", number if answered else None))
        return out

    document.asks = ask
    return document


def marked(text: str, spans: list[tuple[int, int, tuple]]) -> list[Part]:
    edges = sorted({0, len(text), *(edge for start, end, _ in spans for edge in (start, end))})
    return [(text[a:b].replace("\n", " "), tuple(mark for start, end, mark in spans if start <= a and b <= end)) for a, b in zip(edges, edges[1:])]


def name_of(question: str) -> str:
    """What a field would be called: a few words of the question, and what kind of answer it wants."""
    if chance(0.15):
        return pick(["answer", "value", "result", "fact"])
    words = re.findall(r"[^\W\d_][\w'-]*", question)
    kind = next((names for begin, names in ASKED.items() if re.search(rf"\b{begin}\b", question, re.I)), [])
    told = [word.lower() for word in words if word.lower() not in DULL]
    first = max(0, DICE.randint(0, max(0, len(told) - 3)))
    return "_".join([*told[first : first + DICE.randint(1, 4)], *([pick(kind)] if kind else [])]) or "answer"
