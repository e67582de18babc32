"""Trains for a given time and can go on where it stopped.

    python train.py --out run --seconds 500 --total 1100      # a first part of 500 s of 1,100
    python train.py --out run --seconds 600 --total 1100 --resume
"""

import argparse
import math
import multiprocessing
import os
import queue
import random
import time

import numpy as np
import torch
from torch.nn import functional as F

from batches import FIELD_PIECES, MANY, SINGLE, batches
from language import DATA
from model import FAR, Reader, load_minilm
from word_pieces import WordPieces

AVERAGE_EVERY = 10
SAVED_EVERY = 120  # seconds
KEPT = 300  # batches that are taken again when the workers fall behind
# Weights that MiniLM never had learn at the full rate.
NEW = ("left", "right", "middle", "height", "gap", "row_gap", "distance")


def work(seed: int, out) -> None:
    for batch in batches(seed):
        out.put(batch)


class Batches:
    def __init__(self, workers: int, seed: int):
        context = multiprocessing.get_context("spawn")
        self.queue = context.Queue(maxsize=4 * workers)
        self.workers = [context.Process(target=work, args=(seed + i, self.queue), daemon=True) for i in range(workers)]
        for worker in self.workers:
            worker.start()
        self.kept: list = []
        self.fresh = self.again = 0

    def take(self):
        try:
            batch = self.queue.get(timeout=0.002 if len(self.kept) > 40 else 120)
        except queue.Empty:
            self.again += 1
            return random.choice(self.kept)
        self.fresh += len(batch[0])
        self.kept.append(batch)
        if len(self.kept) > KEPT:
            self.kept.pop(random.randrange(KEPT // 2))
        return batch

    def stop(self) -> None:
        for worker in self.workers:
            worker.kill()


def with_hidden_words(features: torch.Tensor, unknown: int, most: float) -> torch.Tensor:
    """In every second page, makes some words unknown: the network has to find values by what stands around them."""
    share = (torch.rand(len(features), 1, device=features.device) - 0.5).clamp(min=0) * 2 * most
    hide = torch.rand(features.shape[:2], device=features.device) < share
    hide[:, 0] = False
    features[..., 0] = torch.where(hide, unknown, features[..., 0])
    return features


def losses(scores, mask, modes, starts, ends, begins, inside):
    """Pointers for single values, marks for lists; the inside of single values teaches addresses of several rows."""
    batch, count, length, _ = scores.shape
    device = scores.device

    def hot(places):
        out = torch.zeros(batch * count * length, device=device)
        out[places] = 1
        return out.view(batch, count, length)

    gold = [hot(places) for places in (starts, ends, begins, inside)]
    outside = ((1 - mask) * FAR)[:, None, :]
    single, many = (modes == SINGLE).float(), (modes == MANY).float()
    asked = single + many

    def point(score, right):
        score = score + outside
        return torch.logsumexp(score, -1) - torch.logsumexp(score + (right - 1) * -FAR, -1)

    pointed = ((point(scores[..., 0], gold[0]) + point(scores[..., 1], gold[1])) * single).sum() / single.sum().clamp(min=1)
    pieces = mask.clone()
    pieces[:, 0] = 0
    marked = lambda k: (F.binary_cross_entropy_with_logits(scores[..., k], gold[k], reduction="none") * pieces[:, None]).sum(-1)
    begun = (marked(2) * (0.1 * single + many)).sum() / asked.sum().clamp(min=1)
    filled = (marked(3) * (0.5 * single + many)).sum() / asked.sum().clamp(min=1)
    with torch.no_grad():
        hit = gold[0].gather(-1, (scores[..., 0] + outside).argmax(-1, keepdim=True))[..., 0]
        found = single * (gold[0][..., 0] == 0)
        right = (hit * found).sum() / found.sum().clamp(min=1)
        none = (hit * (single - found)).sum() / (single - found).sum().clamp(min=1)
    return pointed + 0.3 * begun + 0.15 * filled, {"point": pointed, "begins": begun, "inside": filled, "found": right, "none": none}


def save(folder: str, average: dict) -> None:
    """The averaged weights; never half a file, since a machine may be taken back at any time."""
    part = os.path.join(folder, "part.npz")
    np.savez(part, **{k: v.half().cpu().numpy() for k, v in average.items()})
    os.replace(part, os.path.join(folder, "weights.npz"))


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--out", required=True)
    options.add_argument("--seconds", type=float, required=True)
    options.add_argument("--total", type=float, required=True, help="length of the whole training, over all parts")
    options.add_argument("--resume", action="store_true")
    options.add_argument("--begin", help="weights.npz of an earlier training to begin with, in place of MiniLM")
    options.add_argument("--warm-up", type=int, default=400)
    options.add_argument("--rate", type=float, default=4e-4)
    options.add_argument("--workers", type=int, default=15)
    options.add_argument("--dropout", type=float, default=0.05)
    options.add_argument("--hide", type=float, default=0.0, help="largest share of a page's words that are made unknown")
    options = options.parse_args()
    os.makedirs(options.out, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(1)
    source = Batches(options.workers, random.randrange(10**9))
    pieces = WordPieces.read(os.path.join(DATA, "vocab.txt"))
    reader = Reader(len(pieces.pieces))
    if options.begin:
        stored = np.load(options.begin)
        reader.load_state_dict({k: torch.tensor(stored[k]).float() for k in stored.files}, strict=False)
    else:
        load_minilm(reader, os.path.join(DATA, "start.npz"))
    reader.to(device)
    for part in reader.modules():
        if isinstance(part, torch.nn.Dropout):
            part.p = options.dropout
    old = [p for n, p in reader.named_parameters() if n.startswith("encoder.") and n.split(".")[1] not in NEW]
    known = {id(p) for p in old}
    groups = [{"params": old, "share": 0.5}, {"params": [p for p in reader.parameters() if id(p) not in known], "share": 1.0}]
    optimizer = torch.optim.AdamW(groups, lr=options.rate, betas=(0.9, 0.98), weight_decay=0.01, fused=device == "cuda")
    average = {k: v.detach().clone() for k, v in reader.state_dict().items()}
    step, before = 0, 0.0
    state_path = os.path.join(options.out, "state.pt")
    if options.resume:
        state = torch.load(state_path, map_location=device)
        reader.load_state_dict(state["reader"])
        optimizer.load_state_dict(state["optimizer"])
        average, step, before = state["average"], state["step"], state["seconds"]
    move = lambda array: torch.from_numpy(array).to(device, non_blocking=True).long()
    first = source.take()
    begun = told = saved = time.time()
    seen: dict[str, float] = {}
    reader.train()
    batch = first
    while (passed := time.time() - begun) < options.seconds:
        share = min(1.0, (before + passed) / options.total)
        rate = options.rate * min(1, (step + 1) / options.warm_up) * (0.5 + 0.5 * math.cos(math.pi * share)) + 1e-6
        for group in optimizer.param_groups:
            group["lr"] = rate * group["share"]
        features, lengths, fields, field_lengths, modes, *places = (move(a) for a in batch)
        features = with_hidden_words(features, pieces.unknown, options.hide)
        mask = (torch.arange(features.shape[1], device=device)[None] < lengths[:, None]).float()
        id_mask = (torch.arange(FIELD_PIECES, device=device) < field_lengths[..., None]).float()
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            scores = reader(features, mask, fields, id_mask, (modes >= 0).float())
        loss, parts = losses(scores.float(), mask, modes, *places)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
        optimizer.step()
        step += 1
        if step % AVERAGE_EVERY == 0:
            keep = min(0.999, step / (step + 200)) ** AVERAGE_EVERY
            now = reader.state_dict()
            torch._foreach_mul_(list(average.values()), keep)
            torch._foreach_add_(list(average.values()), [now[k] for k in average], alpha=1 - keep)
            for name, value in parts.items():
                seen[name] = 0.9 * seen.get(name, value.item()) + 0.1 * value.item()
        if time.time() - told > 20:
            told = time.time()
            print(f"{before + passed:.0f} s step {step} pages {source.fresh} again {source.again} rate {rate:.1e} " + " ".join(f"{k} {v:.4f}" for k, v in seen.items()), flush=True)
        if time.time() - saved > SAVED_EVERY:
            saved = time.time()
            save(options.out, average)
        batch = source.take()
    source.stop()
    torch.save({"reader": reader.state_dict(), "optimizer": optimizer.state_dict(), "average": average, "step": step, "seconds": before + options.seconds}, state_path)
    save(options.out, average)
    print(f"done: {step} steps, {source.fresh} pages, {source.again} batches again", flush=True)


if __name__ == "__main__":
    main()
