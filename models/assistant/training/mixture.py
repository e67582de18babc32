"""Examples of all jobs, as tokens. A seed gives the same examples on every machine."""

import json
import random
from pathlib import Path

import numpy as np

from answers import answer_example, squad_example
from bfcl import bfcl_example
from documents import SYSTEMS, document_example, document_prompt
from gguf_file import GgufFile
from json_jobs import json_example
from talk import talk_example
from tokens import Tokens
from tools import tool_example
from tools_free import free_tool_example
from words import Words
from written import load_written, written_document, written_example

LONGEST = 2048
# Shares of the examples. Documents are long, so that they are more of the tokens.
SHARES = {'documents': 27, 'tools': 8, 'free tools': 8, 'bfcl': 11, 'answers': 8, 'squad': 12, 'written': 24, 'talk': 9, 'json': 5}
# Of the documents, so many are from orders that were written by hand.
WRITTEN_ORDERS = 0.5


class Mixture:
    """Makes chunks of examples; one in each process."""

    def __init__(self, model_path, data, shares):
        self.tokens = Tokens(GgufFile(model_path).metadata)
        self.bfcl = [entry for entry in load(data, 'bfcl_train.json') + load(data, 'glaive_train.json') if entry['functions']]
        self.squad = load(data, 'squad_train.json')
        self.texts, self.orders = load_written('texts'), load_written('orders')
        Words.sentences = short_sentences(self.squad)
        self.shares = {name: share for name, share in shares.items() if share and (name != 'bfcl' or self.bfcl) and (name != 'squad' or self.squad)}

    def example(self, words):
        job = words.random.choices(list(self.shares), list(self.shares.values()))[0]
        makers = {
            'documents': self.document, 'tools': tool_example, 'free tools': free_tool_example, 'answers': answer_example, 'talk': talk_example, 'json': json_example,
            'bfcl': lambda w: bfcl_example(w, self.bfcl), 'squad': lambda w: squad_example(w, self.squad), 'written': lambda w: written_example(w, self.texts),
        }
        return makers[job](words)

    def document(self, words):
        if not words.chance(WRITTEN_ORDERS):
            return document_example(words)
        order, written = written_document(words, self.orders)
        return document_prompt(order, words.pick(SYSTEMS)), written

    def chunk(self, seed, count=512):
        """[(ids, length of the prompt)]; examples that are too long are left out."""
        made = []
        for index in range(count):
            prompt, answer = self.example(Words(random.Random(f'{seed}-{index}')))
            before, after = self.tokens.encode(prompt), self.tokens.encode(answer) + [self.tokens.end]
            if len(before) + len(after) <= LONGEST:
                made.append((np.array(before + after, dtype=np.uint16 if self.tokens.tokenizer.get_vocab_size() < 65536 else np.int32), len(before)))
        return made


def short_sentences(articles):
    """Sentences of a few words, without their full stop."""
    texts = [text for article in articles for paragraph in article['paragraphs'] for text in paragraph['context'].split('. ')]
    return sorted({text.strip().rstrip('.') for text in texts if 5 <= len(text.split()) <= 18 and text[0].isupper() and text.isascii() and '"' not in text and '(' not in text})


def load(folder, name):
    path = Path(folder) / name
    return json.loads(path.read_text()) if path.exists() else []


MIXTURE = None


def start_worker(model_path, data, shares):
    global MIXTURE
    MIXTURE = Mixture(model_path, data, shares)


def make_chunk(seed):
    return MIXTURE.chunk(seed)
