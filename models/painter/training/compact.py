"""Weights in files small enough to carry: block matrices as int8 with one scale per row, the rest fp16, cut into parts.

Exporting finds the same int8 numbers again, so nothing is lost that the product would keep."""

import io
from pathlib import Path
import torch

PART_BYTES = 15_000_000
SHARES = (1.0, 0.92, 0.85, 0.78, 0.7)


def shrink(state):
    small = {}
    for name, value in state.items():
        if name.startswith("blocks.") and name.endswith(".weight"):
            small[name] = quantise(value.float())
        else:
            small[name] = value.half().cpu()
    return small


def quantise(values):
    """One scale per output channel (row): of a few clipping points the one with the least squared error."""
    peak = values.abs().amax(1, keepdim=True).clamp_min(1e-8)
    best, error = None, None
    for share in SHARES:
        scale = peak * share / 127
        off = ((values / scale).round().clamp(-127, 127) * scale - values).square().sum(1, keepdim=True)
        best = scale if best is None else torch.where(off < error, scale, best)
        error = off if error is None else torch.minimum(error, off)
    return (values / best).round().clamp(-127, 127).to(torch.int8).cpu(), best.cpu()


def save(state, path):
    """Writes path.0, path.1 …; each part replaces the one before only when it is whole."""
    held = io.BytesIO()
    torch.save(shrink(state), held)
    data = held.getvalue()
    for part, at in enumerate(range(0, len(data), PART_BYTES)):
        target = Path(f"{path}.{part}")
        fresh = target.with_name(target.name + ".new")
        fresh.write_bytes(data[at : at + PART_BYTES])
        fresh.replace(target)


def load(path):
    """path.0, path.1 … → state dict of fp32 tensors."""
    parts = sorted(Path(path).parent.glob(Path(path).name + ".[0-9]"))
    state = torch.load(io.BytesIO(b"".join(p.read_bytes() for p in parts)), map_location="cpu")
    return {k: v[0].float() * v[1] if isinstance(v, tuple) else v.float() for k, v in state.items()}
