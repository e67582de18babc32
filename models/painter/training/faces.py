"""Moods: redraws eyes, brows and mouths of what has a face, as further pictures of the same object."""

import json
from pathlib import Path
import numpy as np
from PIL import Image, ImageDraw, ImageFilter

MOODS = ("happy", "sad", "angry", "sleepy", "surprised")
SCALE = 4
SIDE = 256
DARK, WHITE, TEAR, RED, BLUSH = (52, 32, 26, 255), (255, 255, 255, 255), (64, 156, 255, 255), (150, 30, 40, 255), (255, 110, 120, 130)
SIGNS = {"angry": ("anger symbol", 0.3), "sleepy": ("ZZZ", 0.36), "surprised": ("red exclamation mark", 0.3)}


def heads(objects):
    """Index of an object → its head (see faces.json); men and women of a trade look like its person."""
    data = json.loads(Path(__file__).with_name("faces.json").read_text())
    kinds = {**{n: data["face"] for n in data["faces"]}, **{n: data["bust"] for n in data["busts"]}, **data["heads"]}
    found = {}
    for index, o in enumerate(objects):
        name = o["name"]
        short = name.removeprefix("man ").removeprefix("woman ")
        if name in kinds or short in data["busts"]:
            found[index] = kinds.get(name, data["bust"])
    return found


class Face:
    """One picture of a face at four times its size, to draw on."""

    def __init__(self, square, head):
        self.big = square.resize((SIDE * SCALE, SIDE * SCALE), Image.LANCZOS)
        self.alpha = self.big.getchannel("A")
        (self.hx, self.brim, self.hat, self.ex, self.ey, self.gap, self.mx, self.my, self.mw) = head
        self.unit = self.gap * (0.42 if self.gap > 0.1 else 0.55) if self.gap else self.hat * 0.15
        # From the side the eye that is seen looks to the left.
        self.eyes = [(self.ex - self.gap, -1), (self.ex + self.gap, 1)] if self.gap else [(self.ex, 1)]
        self.draw = ImageDraw.Draw(self.big)

    def box(self, x, y, rx, ry):
        n = SIDE * SCALE
        return [(x - rx) * n, (y - ry) * n, (x + rx) * n, (y + ry) * n]

    def ellipse(self, x, y, rx, ry, colour):
        layer = Image.new("RGBA", self.big.size)
        ImageDraw.Draw(layer).ellipse(self.box(x, y, rx, ry), fill=colour)
        self.big.alpha_composite(layer)
        self.draw = ImageDraw.Draw(self.big)

    def line(self, points, width):
        n = SIDE * SCALE
        w = max(2, round(width * n))
        spots = [(x * n, y * n) for x, y in points]
        self.draw.line(spots, fill=DARK, width=w, joint="curve")
        for x, y in spots:
            self.draw.ellipse([x - w / 2, y - w / 2, x + w / 2, y + w / 2], fill=DARK)

    def arc(self, x, y, rx, ry, start, end, width):
        angles = np.radians(np.linspace(start, end, 24))
        self.line([(x + rx * np.cos(a), y + ry * np.sin(a)) for a in angles], width)

    def wipe(self, x, y, rx, ry):
        """Covers a part with the colour around it."""
        n = SIDE * SCALE
        pixels = np.asarray(self.big)
        angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        xs = np.clip(((x + rx * 1.2 * np.cos(angles)) * n).astype(int), 0, n - 1)
        ys = np.clip(((y + ry * 1.2 * np.sin(angles)) * n).astype(int), 0, n - 1)
        ring = pixels[ys, xs]
        ring = ring[ring[:, 3] > 200]
        if len(ring) < 8:
            return
        colour = tuple(int(v) for v in np.median(ring[:, :3], axis=0)) + (255,)
        mask = Image.new("L", self.big.size)
        ImageDraw.Draw(mask).ellipse(self.box(x, y, rx, ry), fill=255)
        mask = mask.filter(ImageFilter.GaussianBlur(min(rx, ry) * n * 0.12))
        self.big.paste(Image.new("RGBA", self.big.size, colour), mask=mask)
        self.draw = ImageDraw.Draw(self.big)

    def sign(self, picture, size):
        n = SIDE * SCALE
        side = round(size * n)
        x = min(max(self.hx + 0.62 * self.hat, size / 2), 1 - size / 2)
        y = min(max(self.brim + 0.02, size / 2), 1 - size / 2)
        self.big.alpha_composite(picture.resize((side, side), Image.LANCZOS), (round((x - size / 2) * n), round((y - size / 2) * n)))

    def done(self):
        return self.big.resize((SIDE, SIDE), Image.LANCZOS)


def brows(face, slope):
    """slope > 0: the inner ends are up."""
    u = max(face.unit, 0.03)
    for x, side in face.eyes:
        y = face.ey - 1.75 * u
        face.line([(x + side * 1.2 * u, y + slope * 0.6 * u), (x - side * 1.0 * u, y - slope * 0.6 * u)], 0.55 * u)


def frown(face):
    if face.mw:
        face.wipe(face.mx, face.my, face.mw * 0.62, face.mw * 0.42)
        face.arc(face.mx, face.my + 0.22 * face.mw, face.mw * 0.42, face.mw * 0.34, 205, 335, face.mw * 0.13)


def closed_eyes(face, start, end):
    for x, _ in face.eyes:
        face.wipe(x, face.ey, face.unit * 1.25, face.unit * 1.25)
        face.arc(x, face.ey, face.unit * 0.95, face.unit * 0.7, start, end, face.unit * 0.45)


def happy(face):
    u = face.unit
    closed_eyes(face, 190, 350)
    for x, side in face.eyes:
        face.ellipse(x + side * 0.9 * u, face.ey + 1.9 * u, 0.9 * u, 0.6 * u, BLUSH)
    if face.mw:
        face.wipe(face.mx, face.my, face.mw * 0.62, face.mw * 0.42)
        face.draw.chord(face.box(face.mx, face.my - 0.12 * face.mw, face.mw * 0.48, face.mw * 0.46), 0, 180, fill=RED)
        face.draw.chord(face.box(face.mx, face.my + 0.18 * face.mw, face.mw * 0.26, face.mw * 0.16), 0, 360, fill=(255, 120, 130, 255))


def sad(face):
    u = max(face.unit, 0.038 if face.gap else 0.05)
    brows(face, 1)
    frown(face)
    for x, _ in face.eyes:
        face.ellipse(x, face.ey + 2.1 * u, 0.75 * u, 1.2 * u, TEAR)
        face.ellipse(x - 0.2 * u, face.ey + 2.3 * u, 0.2 * u, 0.35 * u, (215, 240, 255, 255))


def angry(face):
    red, green, blue, alpha = face.big.split()
    face.big = Image.merge("RGBA", (red.point(lambda v: min(255, round(v * 1.08 + 14))), green.point(lambda v: round(v * 0.72)), blue.point(lambda v: round(v * 0.7)), alpha))
    face.draw = ImageDraw.Draw(face.big)
    brows(face, -1.2)
    frown(face)


def sleepy(face):
    closed_eyes(face, 10, 170)
    if face.mw:
        face.wipe(face.mx, face.my, face.mw * 0.62, face.mw * 0.42)
        face.ellipse(face.mx, face.my, face.mw * 0.16, face.mw * 0.13, RED)


def surprised(face):
    u = face.unit
    for x, _ in face.eyes:
        face.wipe(x, face.ey, u * 1.3, u * 1.3)
        face.ellipse(x, face.ey, u * 1.35, u * 1.45, DARK)
        face.ellipse(x, face.ey, u * 1.2, u * 1.3, WHITE)
        face.ellipse(x, face.ey, u * 0.5, u * 0.55, DARK)
        face.arc(x, face.ey - 1.6 * u, u * 0.9, u * 0.6, 200, 340, u * 0.35)
    if face.mw:
        face.wipe(face.mx, face.my, face.mw * 0.62, face.mw * 0.42)
        face.ellipse(face.mx, face.my + 0.04 * face.mw, face.mw * 0.24, face.mw * 0.33, RED)


def moody(square, head, mood, signs):
    """The square picture (RGBA, 256 px) in another mood; signs: mood → picture put beside the head."""
    face = Face(square, head)
    globals()[mood](face)
    if mood in signs:
        face.sign(signs[mood], SIGNS[mood][1])
    return face.done()
