"""Trains the adapter on a model file as it is, measures it, and writes it as GGUF.

    python train.py --model SmolLM2-135M-Instruct.Q4_1.gguf --data data --out out --seconds 420

Runs on CUDA where there is one. The loss is that of the answers, plus the distance to the base model on ordinary text and on the base model's own answers
to open questions. The learning rate falls to zero with the time, so that a run ends when it is told to."""

import argparse
import json
import math
import multiprocessing
import random
import sys
import threading
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent / 'evaluation')]

from evaluate import evaluate, perplexity  # noqa: E402
from gguf_file import Q8_0, GgufFile, read_adapter, write_adapter  # noqa: E402
from mixture import SHARES, load, make_chunk, start_worker  # noqa: E402
from model import Decoder, write_answers  # noqa: E402
from talk import open_question, plain_start  # noqa: E402
from tokens import Tokens  # noqa: E402
from words import Words  # noqa: E402

CHUNKS_AT_ONCE = 8
CHUNKS_AHEAD = 48


def settings():
    parser = argparse.ArgumentParser()
    parser.add_argument('--model', required=True)
    parser.add_argument('--data', required=True)
    parser.add_argument('--out', required=True)
    parser.add_argument('--name', default='assistant')
    parser.add_argument('--seconds', type=float, default=420)
    parser.add_argument('--steps', type=int, default=10**9, help='most steps, for a trial')
    parser.add_argument('--rank', type=int, default=32)
    parser.add_argument('--rate', type=float, default=1e-3)
    parser.add_argument('--rate-b', type=float, default=2.0, help='the rate of B over that of A')
    parser.add_argument('--batch-tokens', type=int, default=32768)
    parser.add_argument('--keep', type=float, default=0.5, help='weight of the distance to the base model')
    parser.add_argument('--replay', type=int, default=1024, help='ordinary texts, and open questions, that the base model writes first')
    parser.add_argument('--replay-tokens', type=int, default=224)
    parser.add_argument('--shares', default='', help='such as documents=30,tools=20')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--workers', type=int, default=14)
    parser.add_argument('--start', default='', help='an adapter to go on from')
    parser.add_argument('--evaluate', type=int, default=200, help='questions of each development set')
    parser.add_argument('--held-out', action='store_true', help='measures the held-out sets too')
    parser.add_argument('--most', type=int, default=900, help='longest answer when measuring')
    parser.add_argument('--layers', type=int, default=0, help='uses the first layers only, for a trial')
    parser.add_argument('--compile', action='store_true')
    return parser.parse_args()


def told_shares(text):
    return {**SHARES, **{name: float(share) for name, share in (part.split('=') for part in text.split(',') if part)}}


class Chunks:
    """Chunks of examples from other processes, which work ahead by a bounded number."""

    def __init__(self, pool, seed):
        self.room = threading.Semaphore(CHUNKS_AHEAD)
        self.ended = False
        self.made = pool.imap_unordered(make_chunk, self.seeds(seed))

    def seeds(self, seed):
        index = 0
        while not self.ended:
            if self.room.acquire(timeout=0.2):
                yield f'{seed}-{index}'
                index += 1

    def next(self):
        chunk = next(self.made)
        self.room.release()
        return chunk


def batches(chunks, budget, chance):
    """Endless batches of about the same number of tokens; rows of a batch have about the same length."""
    while True:
        examples = [example for _ in range(CHUNKS_AT_ONCE) for example in chunks.next()]
        examples.sort(key=lambda example: len(example[0]))
        made, rows = [], []
        for example in examples:
            if rows and len(example[0]) * (len(rows) + 1) > budget:
                made.append(rows)
                rows = []
            rows.append(example)
        chance.shuffle(made)
        yield from made


def padded(rows, end):
    longest = max(len(ids) for ids, _ in rows)
    longest = -(-longest // 64) * 64
    ids = np.full((len(rows), longest), end, dtype=np.int64)
    answered = np.zeros((len(rows), longest), dtype=bool)
    for row, (text, before) in enumerate(rows):
        ids[row, : len(text)] = text
        # Position i tells token i + 1.
        answered[row, before - 1 : len(text) - 1] = True
    return torch.from_numpy(ids), torch.from_numpy(answered)


def base_texts(model, tokens, options):
    """What the base model writes by itself: ordinary texts, and answers to open questions."""
    chance = random.Random(options.seed)
    starts = [tokens.encode(plain_start(Words(chance))) for _ in range(options.replay)]
    asked = [tokens.encode(open_question(Words(chance))) for _ in range(options.replay)]
    model.adapts = False
    rows = []
    for prompts, warmth, begins in ((starts, 1.0, 1), (asked, 0.7, None)):
        written = write_answers(model, prompts, end=-1, most=options.replay_tokens, temperature=warmth, seed=options.seed, rows=1024, keep_open=True)
        for prompt, answer in zip(prompts, written):
            answer = answer[: answer.index(tokens.end) + 1] if tokens.end in answer else answer
            rows.append((np.array(prompt + answer), begins or len(prompt)))
    for article in load(options.data, 'squad_train.json'):
        for paragraph in article['paragraphs']:
            rows.append((np.array(tokens.encode(paragraph['context'])[:512]), 1))
    model.adapts = True
    chance.shuffle(rows)
    return rows


def kept_batches(rows, budget, chance):
    while True:
        chance.shuffle(rows)
        at = 0
        while at < len(rows):
            chosen = rows[at : at + 1]
            while at + len(chosen) < len(rows) and max(len(ids) for ids, _ in chosen) * (len(chosen) + 1) <= budget:
                chosen.append(rows[at + len(chosen)])
            at += len(chosen)
            yield chosen


def distance(model, ids, answered):
    """How far the adapted model is from the base model, per token (Kullback-Leibler)."""
    with torch.no_grad():
        model.adapts = False
        base = model.logits(model(ids)[answered]).log_softmax(-1)
        model.adapts = True
    own = model.logits(model(ids)[answered]).log_softmax(-1)
    return F.kl_div(own, base, log_target=True, reduction='none').sum(-1).mean()


def answer_loss(model, ids, answered):
    logits = model.logits(model(ids)[answered])
    return F.cross_entropy(logits, ids.roll(-1, 1)[answered])


def main():
    options = settings()
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    began = time.time()
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    dtype = torch.bfloat16 if device == 'cuda' else torch.float32
    torch.manual_seed(options.seed)
    context = multiprocessing.get_context('fork')
    pool = context.Pool(options.workers, start_worker, (options.model, options.data, told_shares(options.shares)))
    file = GgufFile(options.model)
    tokens = Tokens(file.metadata)
    model = Decoder(file, rank=options.rank, device=device, dtype=dtype, layers=options.layers)
    if options.start:
        model.load_pairs(read_adapter(options.start))
    if options.compile:
        model.block = torch.compile(model.block, dynamic=True)
    say = lambda **facts: print(json.dumps({'at': round(time.time() - began, 1), **facts}), flush=True)
    say(event='loaded', device=device, adapter=sum(p.numel() for p in model.parameters()))
    chance = random.Random(options.seed)
    rows = base_texts(model, tokens, options)
    say(event='base texts', rows=len(rows), sample=tokens.decode(rows[0][0])[:200])
    if options.replay == 0 and not rows:
        options.keep = 0
    kept = kept_batches(rows, options.batch_tokens // 4, chance)
    a = [p for n, p in model.named_parameters() if n.endswith('.a')]
    b = [p for n, p in model.named_parameters() if n.endswith('.b')]
    optimiser = torch.optim.AdamW([{'params': a, 'lr': 1, 'ratio': 1.0}, {'params': b, 'lr': 1, 'ratio': options.rate_b}], betas=(0.9, 0.99), weight_decay=0.0, fused=device == 'cuda')
    chunks = Chunks(pool, options.seed)
    stream = batches(chunks, options.batch_tokens, chance)
    first, step, seen, losses, keeps = time.time(), 0, 0, [], []
    while True:
        spent = max((time.time() - first) / options.seconds, step / options.steps)
        if spent >= 1:
            break
        rate = options.rate * min(1, (step + 1) / 50) * (0.5 + 0.5 * math.cos(math.pi * min(1, spent)))
        for group in optimiser.param_groups:
            group['lr'] = rate * group['ratio']
        ids, answered = (t.to(device, non_blocking=True) for t in padded(next(stream), tokens.end))
        loss = answer_loss(model, ids, answered)
        loss.backward()
        losses.append(loss.detach())
        if options.keep:
            kept_ids, kept_answered = (t.to(device, non_blocking=True) for t in padded(next(kept), tokens.end))
            far = distance(model, kept_ids, kept_answered)
            (options.keep * far).backward()
            keeps.append(far.detach())
            seen += kept_ids.numel()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        step += 1
        seen += ids.numel()
        if step % 50 == 0 or step in (1, 5, 10):
            mean = lambda list_: round(torch.stack(list_[-50:]).mean().item(), 4) if list_ else None
            say(event='step', step=step, loss=mean(losses), far=mean(keeps), rate=round(rate, 6), tokens_per_second=round(seen / (time.time() - first)))
    say(event='trained', steps=step, tokens=seen, seconds=round(time.time() - first, 1), memory_gib=round(torch.cuda.max_memory_allocated() / 2**30, 1) if device == 'cuda' else None)
    chunks.ended = True
    pool.terminate()
    pairs = model.pairs()
    path = out / f'{options.name}.gguf'
    write_adapter(path, pairs, architecture=model.architecture, alpha=options.rank, kind=Q8_0, facts={'general.name': 'Stackgate assistant', 'general.license': 'apache-2.0'})
    # What is measured is what the file holds.
    model.load_pairs(read_adapter(path))
    measure(model, tokens, options, out, say)


def measure(model, tokens, options, out, say):
    """Development sets, answers to read, and perplexity against the base model."""
    with torch.no_grad():
        texts = [paragraph['context'] for article in load(options.data, 'squad_held_out.json') for paragraph in article['paragraphs']][: options.evaluate]
        adapted = perplexity(model, tokens, texts)
        model.adapts = False
        base = perplexity(model, tokens, texts)
        model.adapts = True
        say(event='perplexity', base=base, adapter=adapted, worse=round(adapted / base - 1, 4))
        figures, answers = evaluate(model, tokens, options.data, count=options.evaluate, held_out=options.held_out, most=options.most)
        say(event='figures', **figures)
    (out / f'{options.name}-answers.json').write_text(json.dumps({'figures': figures, 'options': vars(options), 'perplexity': [base, adapted], 'answers': answers}, ensure_ascii=False, indent=1))


if __name__ == '__main__':
    main()
