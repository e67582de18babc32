"""Draws how often answers are right, by the probability given for them.

    python reliability_plot.py <points of bench/extraction-calibration.mjs> <picture>
"""

import json
import sys
from pathlib import Path

import numpy as np

EDGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0001)


def reliability(sure: np.ndarray, right: np.ndarray) -> list[tuple[float, float, int]]:
    parts = [(sure >= low) & (sure < high) for low, high in zip(EDGES, EDGES[1:])]
    return [(float(sure[p].mean()), float(right[p].mean()), int(p.sum())) for p in parts if p.any()]


def draw(curves: dict[str, list], title: str, path: str) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.4, 5.2))
    axes.plot([0, 1], [0, 1], color="#999999", linewidth=1, linestyle="--", label="honest")
    for (name, points), colour in zip(curves.items(), ("#0b6e99", "#c4501b", "#3a7d2c", "#7a4fa3"), strict=False):
        x, y, counts = zip(*points)
        axes.plot(x, y, color=colour, linewidth=1.5, label=f"{name} ({sum(counts)} answers)")
        axes.scatter(x, y, s=[12 + 0.25 * c for c in counts], color=colour, zorder=3)
    axes.set(xlim=(0, 1.02), ylim=(0, 1.02), xlabel="probability given", ylabel="share of right answers", title=title)
    axes.grid(color="#e5e5e5")
    axes.legend(loc="lower right", frameon=False)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def main(points: str, picture: str) -> None:
    leaves = json.loads(Path(points).read_text(encoding="utf8"))
    curves = {}
    for way in dict.fromkeys(leaf["way"] for leaf in leaves):
        own = [leaf for leaf in leaves if leaf["way"] == way]
        curves[way] = reliability(np.array([leaf["said"] for leaf in own]), np.array([leaf["isRight"] for leaf in own]))
    draw(curves, "Extraction, held-out documents", picture)


if __name__ == "__main__":
    main(*sys.argv[1:])
