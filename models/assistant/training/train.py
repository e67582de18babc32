"""Trains the adapter on a model file as it is, measures it, and writes it as GGUF.

    python train.py --model SmolLM2-135M-Instruct.Q4_1.gguf --data data --out out --seconds 420

Runs on CUDA where there is one. The loss is that of the answers, plus the distance to the base model on ordinary text and on the base model's own answers
to open questions. The learning rate falls to zero with the time, so that a run ends when it is told to. What is written is the running mean of the weights
of the last steps: it is good also where a run is cut. With `--state` a run stops after `--stop-after` seconds and goes on in the next call."""

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
    parser.add_argument('--seconds', type=float, default=420, help='of training, all calls of a run together')
    parser.add_argument('--stop-after', type=float, default=0, help='seconds of training in this call')
    parser.add_argument('--state', default='', help='a file from which a run goes on if it is there, and to which it is kept')
    parser.add_argument('--save-every', type=float, default=120, help='seconds')
    parser.add_argument('--mean', type=float, default=0.99, help='how much of the mean of the weights stays in a step')
    parser.add_argument('--kept-file', default='', help='where what the base model writes is kept for the next call')
    parser.add_argument('--memory-gib', type=float, default=0, help='most memory of the device')
    parser.add_argument('--steps', type=int, default=10**9, help='most steps, for a trial')
    parser.add_argument('--rank', type=int, default=32)
    parser.add_argument('--rate', type=float, default=1e-3)
    parser.add_argument('--rate-b', type=float, default=2.0, help='the rate of B over that of A')
    parser.add_argument('--batch-tokens', type=int, default=32768)
    parser.add_argument('--keep', type=float, default=0.5, help='weight of the distance to the base model')
    parser.add_argument('--replay', type=int, default=1024, help='ordinary texts, and open questions, that the base model writes first, and most paragraphs of SQuAD')
    parser.add_argument('--replay-tokens', type=int, default=224)
    parser.add_argument('--shares', default='', help='such as documents=30,tools=20')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--workers', type=int, default=14)
    parser.add_argument('--start', default='', help='an adapter to go on from')
    parser.add_argument('--evaluate', type=int, default=200, help='questions of each development set')
    parser.add_argument('--held-out', action='store_true', help='measures the held-out sets too')
    parser.add_argument('--most', type=int, default=900, help='longest answer when measuring')
    parser.add_argument('--layers', type=int, default=0, help='uses the first layers only, for a trial')
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
    """One tensor of ids, [rows, tokens], and where each row stands in it when it is flat."""
    longest = max(len(ids) for ids, _ in rows)
    longest = -(-longest // 64) * 64
    ids = np.full((len(rows), longest), end, dtype=np.int64)
    for row, (text, _) in enumerate(rows):
        ids[row, : len(text)] = text
    return torch.from_numpy(ids), [row * longest for row in range(len(rows))]


def told_places(rows, starts):
    """Flat places of the positions that tell the tokens of the answers: position i tells token i + 1."""
    return torch.from_numpy(np.concatenate([np.arange(start + before - 1, start + len(ids) - 1) for (ids, before), start in zip(rows, starts)]))


def base_texts(model, tokens, options):
    """What the base model writes by itself: ordinary texts, and answers to open questions."""
    chance = random.Random(options.seed)
    starts = [tokens.encode(plain_start(Words(chance))) for _ in range(options.replay)]
    asked = [tokens.encode(open_question(Words(chance))) for _ in range(options.replay)]
    model.adapts = False
    rows = []
    prompts = starts + asked
    written = write_answers(model, prompts, end=-1, most=options.replay_tokens, temperature=0.85, seed=options.seed, rows=2 * options.replay, keep_open=True)
    for index, (prompt, answer) in enumerate(zip(prompts, written)):
        answer = answer[: answer.index(tokens.end) + 1] if tokens.end in answer else answer
        rows.append((np.array(prompt + answer), 1 if index < len(starts) else len(prompt)))
    paragraphs = sorted({paragraph['context'] for article in load(options.data, 'squad_train.json') for paragraph in article['paragraphs']})
    for text in chance.sample(paragraphs, min(len(paragraphs), options.replay)):
        rows.append((np.array(tokens.encode(text)[:512]), 1))
    model.adapts = True
    chance.shuffle(rows)
    return rows


@torch.no_grad()
def with_base(model, rows, end):
    """Adds to each row what the base model makes of it: hidden states, which are far smaller than scores of words."""
    model.adapts = False
    rows = sorted(rows, key=lambda row: len(row[0]))
    made = []
    for at in range(0, len(rows), 64):
        part = rows[at : at + 64]
        ids, _ = padded(part, end)
        hidden = model(ids.to(model.device))
        made += [(text, before, hidden[row, : len(text)].clone()) for row, (text, before) in enumerate(part)]
    model.adapts = True
    return made


class Kept:
    """Endless rows that the adapted model should answer as the base model does."""

    def __init__(self, rows, chance):
        self.rows, self.chance, self.at = rows, chance, len(rows)

    def next(self, count, longest):
        """Rows, cut to a length; a row whose answer lies behind that is left out."""
        taken = []
        while len(taken) < count:
            if self.at == len(self.rows):
                self.chance.shuffle(self.rows)
                self.at = 0
            ids, before, hidden = self.rows[self.at]
            self.at += 1
            if before < longest - 16:
                taken.append((ids[:longest], before, hidden[:longest]))
        return taken


def losses_of(model, rows, kept, end):
    """The loss of the answers, and how far the adapted model is from the base model on the kept rows, per token (Kullback-Leibler)."""
    device = model.device
    all_rows = rows + [(ids, before) for ids, before, _ in kept]
    ids, starts = padded(all_rows, end)
    # Places are made here and not on the device: it would have to be waited for.
    places = told_places(rows, starts).to(device, non_blocking=True)
    targets = torch.from_numpy(np.concatenate([text[before:] for text, before in rows]).astype(np.int64)).to(device, non_blocking=True)
    hidden = model(ids.to(device, non_blocking=True)).flatten(0, 1)
    loss = F.cross_entropy(model.logits(hidden[places]), targets)
    if not kept:
        return loss, torch.zeros((), device=device), ids.numel()
    kept_rows = [(text, before) for text, before, _ in kept]
    kept_places = told_places(kept_rows, starts[len(rows) :]).to(device, non_blocking=True)
    with torch.no_grad():
        base = model.logits(torch.cat([own[before - 1 : len(text) - 1] for text, before, own in kept])).log_softmax(-1)
    own = model.logits(hidden[kept_places]).log_softmax(-1)
    return loss, F.kl_div(own, base, log_target=True, reduction='none').sum(-1).mean(), ids.numel()


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
    if options.memory_gib and device == 'cuda':
        torch.cuda.set_per_process_memory_fraction(min(1.0, options.memory_gib * 2**30 / torch.cuda.get_device_properties(0).total_memory))
    file = GgufFile(options.model)
    tokens = Tokens(file.metadata)
    model = Decoder(file, rank=options.rank, device=device, dtype=dtype, layers=options.layers)
    if options.start:
        model.load_pairs(read_adapter(options.start))
    say = lambda **facts: print(json.dumps({'at': round(time.time() - began, 1), **facts}), flush=True)
    say(event='loaded', device=device, adapter=sum(p.numel() for p in model.parameters()))
    chance = random.Random(options.seed)
    rows = kept_rows(model, tokens, options) if options.keep else []
    kept = Kept(rows, chance) if rows else None
    say(event='base states', rows=len(rows), sample=tokens.decode(rows[0][0])[:200] if rows else None)
    a = [p for n, p in model.named_parameters() if n.endswith('.a')]
    b = [p for n, p in model.named_parameters() if n.endswith('.b')]
    optimiser = torch.optim.AdamW([{'params': a, 'lr': 1, 'ratio': 1.0}, {'params': b, 'lr': 1, 'ratio': options.rate_b}], betas=(0.9, 0.99), weight_decay=0.0, fused=device == 'cuda')
    parameters = list(model.parameters())
    mean = [parameter.detach().clone() for parameter in parameters]
    before, step, seen = 0.0, 0, 0
    if options.state and Path(options.state).exists():
        before, step, seen = resumed(options.state, parameters, mean, optimiser, device)
        say(event='resumed', seconds=round(before), step=step)
    # A call that goes on takes other examples.
    chunks = Chunks(pool, f'{options.seed}-{step}')
    stream = batches(chunks, options.batch_tokens, chance)
    first = saved = time.time()
    losses, keeps, first_step = [], [], step
    path = out / f'{options.name}.gguf'
    while True:
        trained = before + time.time() - first
        spent = max(trained / options.seconds, step / options.steps)
        if spent >= 1 or (options.stop_after and time.time() - first >= options.stop_after):
            break
        if time.time() - saved >= options.save_every:
            save(options, path, model, parameters, mean, optimiser, (trained, step, seen))
            saved = time.time()
            say(event='saved', step=step)
        rate = options.rate * min(1, (step + 1) / 50) * (0.5 + 0.5 * math.cos(math.pi * min(1, spent)))
        for group in optimiser.param_groups:
            group['lr'] = rate * group['ratio']
        batch = next(stream)
        longest = -(-max(len(ids) for ids, _ in batch) // 64) * 64
        others = kept.next(max(1, options.batch_tokens // 6 // longest), longest) if kept else []
        loss, far, count = losses_of(model, batch, others, tokens.end)
        (loss + options.keep * far).backward()
        losses.append(loss.detach())
        keeps.append(far.detach())
        seen += count
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        step += 1
        with torch.no_grad():
            # The mean of few steps is that of all of them.
            torch._foreach_lerp_(mean, parameters, max(1 - options.mean, 1 / (step + 1)))
        if step % 50 == 0 or step - first_step in (1, 5, 10):
            last = lambda list_: round(torch.stack(list_[-50:]).mean().item(), 4)
            say(event='step', step=step, loss=last(losses), far=last(keeps), rate=round(rate, 6), steps_per_second=round((step - first_step) / (time.time() - first), 2), tokens=seen)
    trained = before + time.time() - first
    say(event='trained', steps=step, tokens=seen, seconds=round(trained, 1), memory_gib=round(torch.cuda.max_memory_allocated() / 2**30, 1) if device == 'cuda' else None)
    chunks.ended = True
    pool.terminate()
    if device == 'cuda':
        torch.cuda.empty_cache()
    save(options, path, model, parameters, mean, optimiser, (trained, step, seen))
    if options.evaluate:
        # What is measured is what the file holds.
        model.load_pairs(read_adapter(path))
        measure(model, tokens, options, out, say)


def kept_rows(model, tokens, options):
    """What the base model writes, with its states; from a file where an earlier call left them."""
    path = Path(options.kept_file) if options.kept_file else None
    if path and path.exists():
        return torch.load(path, map_location=model.device, weights_only=False)
    rows = base_texts(model, tokens, options)
    made = with_base(model, rows, tokens.end) if rows else []
    if path:
        torch.save(made, f'{path}.part')
        Path(f'{path}.part').rename(path)
    return made


def resumed(path, parameters, mean, optimiser, device):
    """(seconds of training, steps, tokens) so far."""
    kept = torch.load(path, map_location=device, weights_only=True)
    with torch.no_grad():
        for own, values in ((parameters, kept['parameters']), (mean, kept['mean'])):
            for tensor, value in zip(own, values, strict=True):
                tensor.copy_(value)
    optimiser.load_state_dict(kept['optimiser'])
    return kept['seconds'], kept['step'], kept['seen']


@torch.no_grad()
def save(options, path, model, parameters, mean, optimiser, progress):
    """Writes the adapter with the mean of the weights, and the state from which a run goes on."""
    now = [parameter.detach().clone() for parameter in parameters]
    torch._foreach_copy_(parameters, mean)
    pairs = model.pairs()
    torch._foreach_copy_(parameters, now)
    part = path.with_suffix('.part')
    write_adapter(part, pairs, architecture=model.architecture, alpha=options.rank, kind=Q8_0, facts={'general.name': 'Stackgate assistant', 'general.license': 'apache-2.0'})
    part.rename(path)
    if options.state:
        seconds, step, seen = progress
        torch.save({'parameters': now, 'mean': mean, 'optimiser': optimiser.state_dict(), 'seconds': seconds, 'step': step, 'seen': seen}, f'{options.state}.part')
        Path(f'{options.state}.part').rename(options.state)


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
