"""Trains the upsampler on the painter's own pictures.

A scene is rendered small, spoiled with noise and cleaned by the painter in one step: what comes out lies where the scene lies, but has
the painter's softness and slips. The target is a window of the same scene at full size.
"""

import argparse
import math
import time
from pathlib import Path
import torch
import torch.nn.functional as F
import assets
import compact
from backgrounds import Scenery
from batches import SHAPES, Batches, loader
from compose import Composer
from lexicon import Lexicon
from model import PATCH, Painter, from_patches, grid_positions, to_patches
from sampler import no_references
from train_base import make_plan, recolourable, to_device
from upsampler import SCALE, Upsampler

SMALL = 128
WINDOW = 32  # small pixels on a side
SHARPEN = 0.45  # the pictures are 256 px wide and are shown larger: a little crispness has to be put back


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("--data", required=True, help="folder with lexicon.json and assets.bin")
    p.add_argument("--painter", required=True, help="weights of the painter (path without .0)")
    p.add_argument("--out", required=True)
    p.add_argument("--minutes", type=float, default=1.2, help="from the start of the process")
    p.add_argument("--batch", type=int, default=96)
    p.add_argument("--lr", type=float, default=1e-3)
    p.add_argument("--workers", type=int, default=12)
    p.add_argument("--eager", action="store_true")
    return p.parse_args()


class Pairs:
    """Small windows as the painter paints them, and the same windows at full size."""

    def __init__(self, args, device):
        self.device = device
        lexicon = Lexicon(Path(args.data) / "lexicon.json")
        loaded = assets.load(Path(args.data) / "assets.bin")
        self.composer = Composer(
            loaded.pictures, loaded.luminance, Scenery(device, side=64 if args.eager else 512).bank(), device, largest=512, compiled=not args.eager
        )
        self.painter = Painter(lexicon.size).to(device).eval()
        self.painter.load_state_dict(compact.load(args.painter))
        if not args.eager:
            for block in self.painter.blocks:
                block.compile(dynamic=True)
        plan = make_plan(args.batch)
        batches = Batches(
            lexicon,
            loaded,
            recolourable(lexicon, loaded),
            lambda step: (plan(step)[0], 0, args.batch),
            10_000_000,
            seed=77,
        )
        self.feed = iter(loader(batches, args.workers))

    @torch.no_grad()
    def next(self):
        batch = to_device(next(self.feed), self.device)
        columns, rows = (v * SMALL // 2 for v in SHAPES[batch["shape"]])
        small = self.composer.render(batch["target"], columns, rows, SMALL)
        painted = self.repaint(small * 2 - 1, batch["tokens"], columns, rows)
        count = small.shape[0]
        corner = torch.stack(
            [torch.randint(0, side - WINDOW + 1, (count,), device=self.device) for side in (columns, rows)], 1
        )
        reach = torch.arange(WINDOW, device=self.device)
        xs, ys = corner[:, 0, None] + reach, corner[:, 1, None] + reach
        windows = painted[torch.arange(count, device=self.device)[:, None, None], ys[:, :, None], xs[:, None, :]]
        canvas = (columns / SMALL, rows / SMALL)
        large = self.composer.render(
            batch["target"], WINDOW * SCALE, WINDOW * SCALE, SMALL * SCALE, corner / SMALL, canvas
        )
        return windows.permute(0, 3, 1, 2).contiguous(), sharpen(large.permute(0, 3, 1, 2))

    def repaint(self, pictures, tokens, columns, rows):
        count = pictures.shape[0]
        t = 0.5 + 0.45 * torch.rand(count, device=self.device)
        k = t[:, None, None]
        x = to_patches(pictures, PATCH)
        places = grid_positions(columns // PATCH, rows // PATCH, self.device)
        with torch.autocast(self.device, torch.bfloat16):
            clean = self.painter(
                tokens, t, k * x + (1 - k) * torch.randn_like(x), places, *no_references(count, self.device)
            )
        return (from_patches(clean.float(), columns // PATCH, rows // PATCH, PATCH) * 0.5 + 0.5).clamp(0, 1)


def sharpen(large):
    soft = F.avg_pool2d(F.pad(large, (3, 3, 3, 3), mode="replicate"), 7, 1)
    return (large + SHARPEN * (large - soft)).clamp(0, 1)


def gradients(x):
    return x[..., 1:] - x[..., :-1], x[..., 1:, :] - x[..., :-1, :]


def main(args):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(3)
    torch.set_float32_matmul_precision("high")
    started = time.time()
    model, pairs = Upsampler().to(device), Pairs(args, device)
    trained = model if args.eager else torch.compile(model)
    average = [p.detach().clone() for p in model.parameters()]
    optimiser = torch.optim.AdamW(model.parameters(), lr=args.lr, betas=(0.9, 0.99), weight_decay=0.0)
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)
    log = open(out / "log.txt", "a")  # the painter's log goes on
    begin, step, losses = time.time(), 0, []
    print(f"weights {sum(p.numel() for p in model.parameters()) / 1e6:.3f} M", file=log, flush=True)
    while (progress := (time.time() - begin) / max(started + args.minutes * 60 - begin, 1)) < 1:
        small, large = pairs.next()
        result = trained(small)
        loss = (result - large).abs().mean() + sum(
            (a - b).abs().mean() for a, b in zip(gradients(result), gradients(large))
        )
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        rate = min(1, (step + 1) / 50) * max(0.5 * (1 + math.cos(math.pi * max(0, (progress - 0.3) / 0.7))), 0.01)
        for group in optimiser.param_groups:
            group["lr"] = args.lr * rate
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        optimiser.step()
        torch._foreach_lerp_(average, [p.data for p in model.parameters()], 1 - min(0.995, (step + 1) / (step + 10)))
        losses.append(loss.detach())
        step += 1
        if step % 200 == 0:
            print(
                f"{time.time() - begin:6.0f} s  step {step}  loss {torch.stack(losses).mean().item():.5f}",
                file=log,
                flush=True,
            )
            losses = []
            keep(model, average, out)
    keep(model, average, out)


def keep(model, average, out):
    torch.save({k: a.cpu() for (k, _), a in zip(model.named_parameters(), average)}, out / "upsampler.pt")


if __name__ == "__main__":
    main(arguments())
