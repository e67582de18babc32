"""Random scenes: which objects, where, on what background, and the caption that says so.

Lengths are in units of the canvas's short side, so a 3:2 canvas is 1.5 wide and 1 high.
What a caption leaves open is drawn nearly the same way every time (white background, fixed
arrangement): a model that paints in four steps has no time to choose between alternatives.
"""

from dataclasses import dataclass, field, replace
from faces import MOODS, heads
from lexicon import COLOURS, GROUNDED, PLAIN_SETTINGS, TIMED_SETTINGS, TIMES, VARIANTS
from places import BODYWEAR, EYEWEAR, HEADWEAR, MOUTHWEAR, NECKWEAR, SKY, TALL, head_kind, held_box, worn_box

MAX_SPRITES = 8
COUNT_WORDS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
PAIR_RELATIONS = [
    "next_to",
    "left_of",
    "right_of",
    "above",
    "below",
    "on",
    "in",
    "behind",
    "in_front",
    "with",
    "wearing",
    "riding",
    "eating",
    "and",
    "holding",
]
PAIR_WEIGHTS = [12, 8, 8, 9, 7, 14, 8, 6, 6, 9, 16, 8, 6, 16, 16]
TRIO_RELATIONS = ["and", "between", "both_on", "on_beside"]
TRIO_WEIGHTS = [48, 22, 18, 12]
PATTERNS = (None, "striped", "spotted", "checked")
# Only these wear, hold, ride and eat in training; other words in those places are read as something near.
ACTING = ("wearing", "holding", "riding", "eating")


@dataclass
class Group:
    """Some equal objects; boxes holds one (cx, cy, size) for each."""

    concept: int
    count: int = 1
    colour: tuple = None  # (name, shade)
    size: str = None
    mood: str = None
    pattern: str = None
    depth: int = 0  # drawn in this order
    boxes: list = field(default_factory=list)


@dataclass
class Background:
    kind: str = "plain"  # plain, colour, gradient, setting
    colours: tuple = ()
    setting: str = None
    time: str = "day"
    variant: int = 0


@dataclass
class Scene:
    groups: list
    background: Background
    width: float
    height: float
    relation: str = None
    place: str = None


class SceneMaker:
    """Draws scenes for one worker; extents[i] = (width, height) of asset i in its unit square."""

    def __init__(self, lexicon, assets, recolourable, rng):
        self.lexicon, self.extents, self.rng = lexicon, assets.extents, rng
        self.recolourable = recolourable
        self.names = [o["name"] for o in lexicon.objects]
        self.heads = heads(lexicon.objects)
        indices = lambda names: [i for i, n in enumerate(self.names) if n in names]
        self.worn = [indices(HEADWEAR), indices(EYEWEAR), indices(NECKWEAR), indices(BODYWEAR), indices(MOUTHWEAR)]
        self.sky, self.tall = set(indices(SKY)), set(indices(TALL))
        self.beings = list(self.heads)
        clothes = set(sum(self.worn, []))
        self.held = [i for i in range(len(self.names)) if i not in self.tall and i not in self.heads and i not in clothes]
        weights = [o["weight"] for o in lexicon.objects]
        total, self.cumulative = 0.0, []
        for w in weights:
            total += w
            self.cumulative.append(total)

    # -- choices -------------------------------------------------------------------------
    def concept(self, avoid=()):
        while True:
            index = self.rng.choices(range(len(self.cumulative)), cum_weights=self.cumulative)[0]
            if index not in avoid:
                return index

    def colour(self):
        name = self.rng.choice(list(COLOURS))
        shade = self.rng.choices([None, "light", "dark"], [8, 1, 1])[0]
        return (name, shade if name not in ("black", "white", "navy", "beige") else None)

    def background(self, settings=0.36):
        r = self.rng.random()
        if r < 0.34:
            return Background()
        if r < 0.58:
            return Background("colour", (self.colour(),))
        if r < 1 - settings:
            return Background("gradient", (self.colour(), self.colour()))
        variant = self.rng.randrange(VARIANTS)
        if self.rng.random() < 0.4:
            return Background("setting", setting=self.rng.choice(PLAIN_SETTINGS), variant=variant)
        return Background(
            "setting",
            setting=self.rng.choice(TIMED_SETTINGS),
            time=self.rng.choices(TIMES, [6, 2, 2])[0],
            variant=variant,
        )

    def worn_concept(self):
        return self.rng.choice(self.rng.choices(self.worn, [8, 4, 3, 6, 1])[0])

    def thing_held(self, avoid):
        while (index := self.rng.choice(self.held)) in avoid or self.rng.random() > self.lexicon.objects[index]["weight"]:
            pass
        return index

    def group(self, avoid=(), many=0.2, concept=None):
        concept = self.concept(avoid) if concept is None else concept
        count = 1 if self.rng.random() > many else self.rng.choices([2, 3, 4, 5, 6], [4, 4, 2, 1, 1])[0]
        colour = self.colour() if self.recolourable[concept] and self.rng.random() < 0.2 else None
        size = self.rng.choices(["small", "large"], [2, 1])[0] if self.rng.random() < 0.16 else None
        mood = self.rng.choice(MOODS) if concept in self.heads and self.rng.random() < 0.3 else None
        pattern = self.rng.choice(PATTERNS[1:]) if self.recolourable[concept] and self.rng.random() < 0.06 else None
        return Group(concept, count, colour, size, mood, pattern)

    def pair(self):
        """Two groups and their relation."""
        relation = self.rng.choices(PAIR_RELATIONS, PAIR_WEIGHTS)[0]
        acts = relation in ACTING and self.rng.random() < 0.85
        first = self.group(many=0 if acts else 0.1, concept=self.rng.choice(self.beings) if acts else None)
        if acts and relation != "riding":
            first = replace(first, size=None)
        if relation == "wearing":
            second = self.group(many=0, concept=self.worn_concept())
        elif relation == "holding":
            second = self.group(many=0, concept=self.thing_held((first.concept,)))
        else:
            second = self.group(
                (first.concept,), many=0.1 if relation in ("and", "with", "next_to", "above", "below") else 0
            )
        if relation in ("wearing", "holding"):
            second = replace(second, size=None, count=1)
        return first, second, relation

    def scene(self, width, height):
        kind = self.rng.choices(["one", "two", "three", "four", "none"], [47, 36, 11, 4, 2])[0]
        background = self.background()
        if kind == "none":
            if background.kind == "plain":
                background = Background("setting", setting=self.rng.choice(TIMED_SETTINGS))
            return Scene([], background, width, height)
        if kind == "one":
            scene = Scene([self.group(many=0.32)], background, width, height)
            if self.rng.random() < 0.12:
                scene.place = self.rng.choice(["at_left", "at_right", "at_top", "at_bottom", "at_centre"])
        elif kind == "two":
            first, second, relation = self.pair()
            scene = Scene([first, second], background, width, height, relation)
        else:
            groups = []
            for _ in range(3 if kind == "three" else 4):
                groups.append(replace(self.group([g.concept for g in groups], many=0.0), size=None))
            relation = self.rng.choices(TRIO_RELATIONS, TRIO_WEIGHTS)[0] if kind == "three" else "and"
            if relation == "between" and self.rng.random() < 0.5:
                groups[2] = replace(groups[1])
            scene = Scene(groups, background, width, height, relation)
        self.arrange(scene)
        return scene

    # -- arrangement -----------------------------------------------------------------------
    def arrange(self, scene):
        """Gives every group its boxes."""
        w, h = scene.width, scene.height
        groups = scene.groups
        grounded = scene.background.kind == "setting" and scene.background.setting in GROUNDED
        if len(groups) == 1:
            cx, cy = {
                "at_left": (0.27, 0.5),
                "at_right": (0.73, 0.5),
                "at_top": (0.5, 0.27),
                "at_bottom": (0.5, 0.73),
            }.get(scene.place, (0.5, 0.5))
            span = 0.42 if scene.place and scene.place != "at_centre" else 0.66
            wide = span * (1.3 if w > h and groups[0].count > 1 else 1.0)
            self.fill(groups[0], cx * w, cy * h, wide, span)
        elif len(groups) == 2:
            (groups[0] if scene.relation in ("on", "riding", "in_front") else groups[1]).depth = 1
            self.arrange_pair(scene.relation, *groups, w, h)
        elif scene.relation == "both_on":
            self.arrange_on(groups[:2], groups[2], w * 0.5, h * 0.5 + 0.2, 0.58)
        elif scene.relation == "on_beside":
            self.arrange_on(groups[:1], groups[1], w * 0.29, h * 0.5 + 0.16, 0.44)
            foot = groups[1].boxes[0][1] + 0.22 * self.extents[groups[1].concept][1]
            self.fill(groups[2], w * 0.74, foot - 0.22 * self.extents[groups[2].concept][1], 0.44, 0.44)
        elif len(groups) == 3:
            order = [groups[1], groups[0], groups[2]] if scene.relation == "between" else groups
            for i, group in enumerate(order):
                self.fill(group, w * (i + 0.5) / 3, h * 0.5, w / 3 * 0.94, 0.44)
        else:
            for i, group in enumerate(groups):
                self.fill(group, w * (0.27 + 0.46 * (i % 2)), h * (0.27 + 0.46 * (i // 2)), 0.42, 0.42)
        if grounded and scene.place is None and len(groups) < 4:
            self.stand_on_ground(scene)
        self.jitter(scene)

    def arrange_pair(self, relation, a, b, w, h):
        side = min(0.46 * w, 0.6)
        if relation in ("next_to", "left_of", "and", "eating"):
            self.fill(a, w * 0.27, h * 0.5, side, 0.6)
            self.fill(b, w * 0.73, h * 0.5, side, 0.6)
            if relation == "eating":
                self.fill(a, w * 0.62, h * 0.46, 0.6, 0.6)
                self.fill(b, w * 0.62 - 0.36, h * 0.46 + 0.2, 0.26, 0.26)
        elif relation == "right_of":
            self.fill(b, w * 0.27, h * 0.5, side, 0.6)
            self.fill(a, w * 0.73, h * 0.5, side, 0.6)
        elif relation in ("above", "below"):
            top, bottom = (a, b) if relation == "above" else (b, a)
            tall = min(0.46 * h, 0.56)
            self.fill(top, w * 0.5, h * 0.27, 0.8, tall)
            self.fill(bottom, w * 0.5, h * 0.73, 0.8, tall)
        elif relation in ("on", "riding"):
            self.fill(b, w * 0.5, h * 0.5 + 0.2, 0.52, 0.52)
            top = b.boxes[0][1] - 0.5 * 0.52 * self.extents[b.concept][1]
            sink = 0.04 if relation == "on" else 0.16
            size = 0.38 if relation == "on" else 0.42
            self.fill(
                a, w * 0.5, top + sink - 0.5 * size * self.extents[a.concept][1], 0.7 if a.count > 1 else size, size
            )
        elif relation == "in":
            self.fill(b, w * 0.5, h * 0.5 + 0.12, 0.62, 0.62)
            self.fill(a, w * 0.5, h * 0.5 - 0.1, 0.36, 0.36)
        elif relation in ("behind", "in_front"):
            back, front = (a, b) if relation == "behind" else (b, a)
            self.fill(back, w * 0.5 - 0.08, h * 0.5 - 0.12, 0.58, 0.58)
            self.fill(front, w * 0.5 + 0.14, h * 0.5 + 0.2, 0.4, 0.4)
        elif relation == "with":
            self.fill(a, w * 0.5 - 0.12, h * 0.5 - 0.03, 0.6, 0.6)
            self.fill(b, w * 0.5 + 0.24, h * 0.5 + 0.18, 0.34, 0.34)
        elif relation == "holding":
            self.fill(a, w * 0.5 - 0.06, h * 0.5, 0.64, 0.64)
            b.boxes = [held_box(a.boxes[0], self.heads.get(a.concept))]
        elif relation == "wearing":
            # A head alone gets a body by what it wears.
            name, head = self.names[b.concept], self.heads.get(a.concept)
            dressed = name in BODYWEAR and head is not None and head_kind(head) == "face"
            across, down = (0.52, -0.16) if dressed else (0.56, 0.14) if name in HEADWEAR else (0.62, 0.06)
            self.fill(a, w * 0.5, h * 0.5 + down, across, across)
            b.depth = -1 if dressed else b.depth
            b.boxes = [worn_box(a.boxes[0], head, name, self.extents[b.concept])]

    def arrange_on(self, tops, host, cx, cy, size):
        """Puts things beside each other onto a host of this size."""
        self.fill(host, cx, cy, size, size)
        surface = cy - 0.5 * size * self.extents[host.concept][1]
        side = 0.6 * size if len(tops) > 1 else 0.75 * size
        for i, top in enumerate(tops):
            top.depth = 1
            x = cx + (i - (len(tops) - 1) / 2) * 0.6 * size
            self.fill(top, x, surface + 0.04 - 0.5 * side * self.extents[top.concept][1], side, side)

    def fill(self, group, cx, cy, wide, tall):
        """Puts the group's objects in rows inside a box."""
        n = group.count
        rows = 1 if n <= 2 or (n == 3 and wide >= tall) else 2
        if n >= 2 and tall > 1.6 * wide:
            rows = min(n, 2)
        columns = -(-n // rows)
        scale = {"small": 0.55, "large": 1.3}.get(group.size, 1.0)
        size = min(wide / columns, tall / rows) * (1.0 if n == 1 else 0.96)
        size = min(size * scale, 0.95)
        group.boxes = []
        for i in range(n):
            row, column = divmod(i, columns)
            in_row = min(columns, n - row * columns)
            group.boxes.append(
                (
                    cx + (column - (in_row - 1) / 2) * max(size, wide / columns * 0.9),
                    cy + (row - (rows - 1) / 2) * max(size, tall / rows * 0.9),
                    size,
                )
            )

    def stand_on_ground(self, scene):
        bottom = max(cy + 0.5 * s * self.extents[g.concept][1] for g in scene.groups for _, cy, s in g.boxes)
        drop = 0.86 * scene.height - bottom
        aligned = (
            scene.relation in (None, "next_to", "left_of", "right_of", "and", "between")
            and len(scene.groups) < 4
            and all(g.count <= 3 for g in scene.groups)
        )
        for g in scene.groups:
            base = [
                0.86 * scene.height - 0.5 * s * self.extents[g.concept][1] if aligned and g.count <= 2 else cy + drop
                for _, cy, s in g.boxes
            ]
            g.boxes = [(cx, y, s) for (cx, _, s), y in zip(g.boxes, base)]

    def jitter(self, scene):
        dx, dy, zoom = self.rng.gauss(0, 0.012), self.rng.gauss(0, 0.012), 1 + self.rng.gauss(0, 0.03)
        for g in scene.groups:
            own = 1 + self.rng.gauss(0, 0.02)
            g.boxes = [
                (
                    scene.width / 2 + (cx - scene.width / 2) * zoom + dx,
                    scene.height / 2 + (cy - scene.height / 2) * zoom + dy,
                    s * zoom * own,
                )
                for cx, cy, s in g.boxes
            ]

    # -- captions ------------------------------------------------------------------------
    def name_group(self, group, coloured=True):
        pieces = [COUNT_WORDS[group.count]] if group.count > 1 else []
        adjectives = [[group.size]] if group.size else []
        if group.mood:
            adjectives.append([group.mood])
        if group.pattern:
            adjectives.append([group.pattern])
        if group.colour and coloured:
            adjectives.append(([group.colour[1]] if group.colour[1] else []) + [group.colour[0]])
        self.rng.shuffle(adjectives)
        return pieces + sum(adjectives, []) + [group.concept]

    def name_colour(self, colour):
        return ([colour[1]] if colour[1] else []) + [colour[0]]

    def name_background(self, background):
        rng = self.rng
        if background.kind == "plain":
            # The product's tokenizer says "plain" whenever a prompt names no background.
            return (
                ["plain"]
                if rng.random() < 0.85
                else rng.choice([["white", "background"], ["on", "white", "background"]])
            )
        if background.kind == "colour":
            return rng.choice([["on"], ["with"], ["in"], []]) + self.name_colour(background.colours[0]) + ["background"]
        if background.kind == "gradient":
            joint = rng.choice([["and"], ["to"], []])
            return (
                rng.choice([["on"], ["with"], []])
                + self.name_colour(background.colours[0])
                + joint
                + self.name_colour(background.colours[1])
                + rng.choice([["gradient"], ["gradient", "background"]])
            )
        words = [[background.setting]]
        if background.time != "day":
            words.append(rng.choice([[], ["in"], ["on"]]) + [background.time])
        if rng.random() < 0.3:
            words.reverse()
        return (
            rng.choice([["on"], ["in"], ["in"], ["with"], []])
            + sum(words, [])
            + (["background"] if rng.random() < 0.15 else [])
        )

    def caption(self, scene):
        rng, groups, names = self.rng, scene.groups, [self.name_group(g) for g in scene.groups]
        if not groups:
            body = []
        elif len(groups) == 1:
            body = names[0] + ([scene.place] if scene.place else [])
            if scene.place and rng.random() < 0.3:
                body = [scene.place] + names[0]
        elif len(groups) == 2:
            body = names[0] + [scene.relation] + names[1]
        elif scene.relation == "both_on":
            body = names[0] + ["and"] + names[1] + ["on"] + names[2]
        elif scene.relation == "on_beside":
            body = names[0] + ["on"] + names[1] + rng.choice([["next_to"], ["and"]]) + names[2]
        elif scene.relation == "between":
            twins = groups[1].concept == groups[2].concept
            body = names[0] + ["between"] + (["two"] + names[1] if twins else names[1] + ["and"] + names[2])
        else:
            body = sum((n + (["and"] if rng.random() < 0.35 else []) for n in names[:-1]), []) + ["and"] + names[-1]
        background = self.name_background(scene.background)
        pieces = background + body if rng.random() < 0.12 else body + background
        # Free prompts carry stray prepositions; a little of that noise keeps them harmless.
        if rng.random() < 0.06:
            pieces.insert(rng.randrange(len(pieces) + 1), rng.choice(["with", "in", "on", "and", "add"]))
        return pieces
