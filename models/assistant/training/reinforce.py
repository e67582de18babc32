"""Trains an adapter further on what it writes itself: documents are worth the facts that they hold, answers the words that they share with the right one.

    python reinforce.py --model SmolLM2-135M-Instruct.Q4_1.gguf --data data --out out --name last --start out/fourth.gguf --seconds 330

Several answers to each question are sampled, and those that are better than the others of their question become more likely (policy gradient).
The usual examples go along with a part of each step, so that what was learned from them stays."""

import argparse
import json
import math
import random
import re
import sys
import time
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / 'evaluation')]

from answers import SILENT, answer_example, squad_example  # noqa: E402
from documents import document, document_prompt  # noqa: E402
from gguf_file import Q8_0, GgufFile, read_adapter, write_adapter  # noqa: E402
from judge import document_faults, folded, says_unknown  # noqa: E402
from mixture import SHARES, load, start_worker  # noqa: E402
from model import Decoder, write_answers  # noqa: E402
from tokens import Tokens  # noqa: E402
from train import Chunks, Kept, batches, kept_rows, losses_of, measure, padded, told_places  # noqa: E402
from words import Words  # noqa: E402
from written import facts_of_order, load_written, wished_document, written_example  # noqa: E402

LONGEST_PROMPT = 900
# Words that say nothing about whether an answer is right.
EMPTY = {'a', 'an', 'the', 'is', 'are', 'it', 'to', 'of', 'at', 'in', 'on', 'for', 'by', 'and', 'you', 'your', 'was', 'be', 'they', 'that', 'he', 'she', 'as', 'with', 'because', 'from'}


@dataclass
class Task:
    prompt: str
    # What an answer is worth, from 0 to 1; it is None if it was cut.
    worth: object


def settings():
    parser = argparse.ArgumentParser()
    parser.add_argument('--model', required=True)
    parser.add_argument('--data', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--name', default='reinforced')
    parser.add_argument('--start', required=True)
    parser.add_argument('--seconds', type=float, default=300)
    parser.add_argument('--steps', type=int, default=10**9, help='most rounds, for a trial')
    parser.add_argument('--rank', type=int, default=32)
    parser.add_argument('--rate', type=float, default=2.5e-4)
    parser.add_argument('--rate-b', type=float, default=2.0)
    parser.add_argument('--documents', type=int, default=80, help='orders in a round')
    parser.add_argument('--answers', type=int, default=160, help='questions in a round')
    parser.add_argument('--document-tokens', type=int, default=560, help='longest document; a longer one is worth nothing')
    parser.add_argument('--answer-tokens', type=int, default=48)
    parser.add_argument('--samples', type=int, default=8, help='of each')
    parser.add_argument('--temperature', type=float, default=1.0)
    parser.add_argument('--parts', type=int, default=3, help='steps of a round for each kind')
    parser.add_argument('--usual', type=float, default=0.5, help='weight of the usual examples')
    parser.add_argument('--keep', type=float, default=0.5)
    parser.add_argument('--batch-tokens', type=int, default=40960)
    parser.add_argument('--mean', type=float, default=0.97)
    parser.add_argument('--memory-gib', type=float, default=0)
    parser.add_argument('--kept-file', default='')
    parser.add_argument('--replay', type=int, default=1024)
    parser.add_argument('--replay-tokens', type=int, default=224)
    parser.add_argument('--seed', type=int, default=5)
    parser.add_argument('--workers', type=int, default=6)
    parser.add_argument('--evaluate', type=int, default=40)
    parser.add_argument('--held-out', action='store_true')
    parser.add_argument('--most', type=int, default=900)
    parser.add_argument('--layers', type=int, default=0)
    options = parser.parse_args()
    options.state = ''
    return options


class Tasks:
    def __init__(self, data, chance):
        self.words = Words(chance)
        self.texts, self.orders, self.wishes = load_written('texts'), load_written('orders'), load_written('wishes')
        self.squad = load(data, 'squad_train.json')

    def document(self):
        kind = self.words.random.random()
        if kind < 0.6:
            order, facts = wished_document(self.words, self.wishes)
        elif kind < 0.85:
            entry = self.words.pick(self.orders)
            order, facts = entry['order'], facts_of_order(entry)
        else:
            order, _, facts = document(self.words)
        return Task(document_prompt(order), lambda answer: document_worth(order, answer, facts))

    def answer(self):
        kind = self.words.random.random()
        if kind < 0.75:
            prompt, right = written_example(self.words, self.texts)
        elif kind < 0.9 and self.squad:
            prompt, right = squad_example(self.words, self.squad)
        else:
            prompt, right = answer_example(self.words)
        return Task(prompt, lambda answer: answer_worth(prompt, answer, right))


def document_worth(order, answer, facts):
    faults = document_faults(order, answer, facts)
    if any(not fault.startswith(('missing', 'invented')) for fault in faults):
        return 0.0
    text = folded(re.sub(r'<[^>]*>', ' ', answer))
    held = sum(folded(fact) in text for fact in facts) / max(1, len(facts))
    return 0.2 + 0.4 * held + 0.4 * (not faults)


def answer_worth(prompt, answer, right):
    if answer is None:
        return 0.0
    if right == SILENT or says_unknown(answer):
        return float(right == SILENT and says_unknown(answer))
    given, wanted = telling(answer), telling(right)
    if not given or not wanted:
        return float(folded(answer) == folded(right))
    both = len(given & wanted)
    worth = 0.7 * both / len(wanted) + 0.3 * both / len(given)
    # A number that is wrong makes the answer wrong.
    return worth if digits(right) <= digits(answer) <= digits(prompt) else worth / 3


def telling(text):
    return set(re.findall(r"[\w.,:'-]*\w", folded(text))) - EMPTY


def digits(text):
    return set(re.findall(r'\d+', text))


def sampled(model, tokens, tasks, options, most):
    """(rows [(ids, length of the prompt)], how much each is better than the others of its question, mean worth)."""
    prompts = [tokens.encode(task.prompt) for task in tasks]
    chosen = [(task, ids) for task, ids in zip(tasks, prompts) if len(ids) <= LONGEST_PROMPT]
    repeated = [ids for _, ids in chosen for _ in range(options.samples)]
    written = write_answers(model, repeated, end=tokens.end, most=most, temperature=options.temperature, seed=random.randrange(2**31))
    rows, betters, all_worth = [], [], []
    for index, (task, ids) in enumerate(chosen):
        own = written[index * options.samples : (index + 1) * options.samples]
        worth = np.array([task.worth(None if each is None else tokens.decode(each)) for each in own])
        all_worth.append(worth.mean())
        if worth.std() < 1e-3:
            continue
        for each, better in zip(own, (worth - worth.mean()) / (worth.std() + 0.05)):
            if each is not None:
                rows.append((np.array(ids + each + [tokens.end]), len(ids)))
                betters.append(float(better))
    return rows, betters, float(np.mean(all_worth))


def add_gradient(model, rows, betters, end, budget):
    """Adds the gradient of all rows, in pieces of a bounded size. The worth of a row counts for each of its tokens."""
    total = sum(len(ids) - before for ids, before in rows)
    order = sorted(range(len(rows)), key=lambda index: len(rows[index][0]))
    while order:
        piece = []
        while order and len(rows[order[0]][0]) * (len(piece) + 1) <= budget:
            piece.append(order.pop(0))
        own = [rows[index] for index in piece]
        ids, starts = padded(own, end)
        places = told_places(own, starts).to(model.device)
        targets = torch.from_numpy(np.concatenate([text[before:] for text, before in own]).astype(np.int64)).to(model.device)
        weights = torch.cat([torch.full((len(rows[index][0]) - rows[index][1],), betters[index]) for index in piece]).to(model.device)
        hidden = model(ids.to(model.device)).flatten(0, 1)
        lost = F.cross_entropy(model.logits(hidden[places]), targets, reduction='none')
        ((lost * weights).sum() / total).backward()


def main():
    options = settings()
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    began = time.time()
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    torch.manual_seed(options.seed)
    random.seed(options.seed)
    pool = get_context('fork').Pool(options.workers, start_worker, (options.model, options.data, SHARES))
    if options.memory_gib and device == 'cuda':
        torch.cuda.set_per_process_memory_fraction(min(1.0, options.memory_gib * 2**30 / torch.cuda.get_device_properties(0).total_memory))
    file = GgufFile(options.model)
    tokens = Tokens(file.metadata)
    model = Decoder(file, rank=options.rank, device=device, dtype=torch.bfloat16 if device == 'cuda' else torch.float32, layers=options.layers)
    model.load_pairs(read_adapter(options.start))
    say = lambda **facts: print(json.dumps({'at': round(time.time() - began, 1), **facts}), flush=True)
    chance = random.Random(options.seed)
    kept = Kept(kept_rows(model, tokens, options), chance)
    tasks = Tasks(options.data, chance)
    chunks = Chunks(pool, f'reinforce-{options.seed}')
    usual = batches(chunks, options.batch_tokens, chance)
    groups = [{'params': [p for n, p in model.named_parameters() if n.endswith(f'.{end}')], 'lr': 1, 'ratio': ratio} for end, ratio in (('a', 1.0), ('b', options.rate_b))]
    optimiser = torch.optim.AdamW(groups, betas=(0.9, 0.99), weight_decay=0.0, fused=device == 'cuda')
    parameters = list(model.parameters())
    mean = [parameter.detach().clone() for parameter in parameters]
    first, step, rounds = time.time(), 0, 0
    while True:
        spent = max((time.time() - first) / options.seconds, rounds / options.steps)
        if spent >= 1:
            break
        rate = options.rate * min(1, (step + 1) / 6) * (0.55 + 0.45 * math.cos(math.pi * spent))
        for group in optimiser.param_groups:
            group['lr'] = rate * group['ratio']
        facts = {}
        for kind, make, count, most in (('documents', tasks.document, options.documents, options.document_tokens), ('answers', tasks.answer, options.answers, options.answer_tokens)):
            since = time.time()
            rows, betters, facts[kind] = sampled(model, tokens, [make() for _ in range(count)], options, most)
            facts[f'{kind} written in'] = round(time.time() - since, 1)
            mixed = list(range(len(rows)))
            chance.shuffle(mixed)
            for part in range(options.parts):
                own = mixed[part :: options.parts]
                if not own:
                    continue
                add_gradient(model, [rows[index] for index in own], [betters[index] for index in own], tokens.end, options.batch_tokens)
                batch = next(usual)
                longest = -(-max(len(ids) for ids, _ in batch) // 64) * 64
                loss, far, _ = losses_of(model, batch, kept.next(max(1, options.batch_tokens // 6 // longest), longest), tokens.end)
                (options.usual * (loss + options.keep * far)).backward()
                facts.update(steps=step + 1, loss=loss.item(), far=far.item())
                torch.nn.utils.clip_grad_norm_(parameters, 1.0)
                optimiser.step()
                optimiser.zero_grad(set_to_none=True)
                step += 1
                with torch.no_grad():
                    torch._foreach_lerp_(mean, parameters, max(1 - options.mean, 1 / (step + 1)))
        rounds += 1
        say(event='round', round=rounds, rate=round(rate, 7), **{name: round(value, 4) for name, value in facts.items()})
    chunks.ended = True
    pool.terminate()
    with torch.no_grad():
        torch._foreach_copy_(parameters, mean)
    write_adapter(out / f'{options.name}.gguf', model.pairs(), architecture=model.architecture, alpha=options.rank, kind=Q8_0, facts={'general.name': 'Stackgate assistant', 'general.license': 'apache-2.0'})
    if options.evaluate:
        model.load_pairs(read_adapter(out / f'{options.name}.gguf'))
        measure(model, tokens, options, out, say)


if __name__ == '__main__':
    main()
