"""Edit examples: reference scenes, an instruction, and the scene that results from it."""

from copy import deepcopy
from dataclasses import replace
from faces import MOODS
from places import held_box, worn_box
from scene import Background, Group, MAX_SPRITES, PATTERNS, Scene, TRIO_RELATIONS

SINGLE_EDITS = ["background", "add", "remove", "replace", "recolour", "move", "resize", "mood", "pattern", "number"]
SINGLE_WEIGHTS = [20, 34, 18, 14, 11, 8, 5, 8, 3, 5]
BESIDE = ["above", "below", "left_of", "right_of", "next_to", "next_to", "on", "with", "behind", "in_front", "in"]
SKY_SPOTS = [(0.8, 0.2), (0.2, 0.2), (0.5, 0.15)]
ROOMS = {"at_left": (0.18, 0.5), "at_right": (0.82, 0.5), "at_top": (0.5, 0.18), "at_bottom": (0.5, 0.82)}
PLACES = {
    "at_left": (0.24, None),
    "at_right": (0.76, None),
    "at_top": (None, 0.26),
    "at_bottom": (None, 0.74),
    "at_centre": (0.5, 0.5),
}


class EditMaker:
    def __init__(self, scenes):
        self.scenes, self.rng = scenes, scenes.rng

    def single(self, width, height):
        """One reference and its change → ([reference], target, instruction pieces)."""
        kinds = self.rng.choices(SINGLE_EDITS, SINGLE_WEIGHTS)
        # Something can only be taken away where something else stays.
        fewest = 2 if kinds[0] == "remove" else 1
        while True:
            source = self.scenes.scene(width, height)
            if fewest <= len(source.groups) <= 3 and sum(g.count for g in source.groups) <= MAX_SPRITES - 2:
                break
        target = deepcopy(source)
        if kinds[0] != "background" and self.rng.random() < 0.12:
            kinds.append("background")
        pieces = []
        for kind in kinds:
            words = getattr(self, kind)(target)
            pieces += (["and"] if pieces else []) + words
        # Callers also describe the wanted picture instead of the change.
        if self.rng.random() < 0.12:
            if len(target.groups) == 2 and (target.relation is None or target.relation in TRIO_RELATIONS):
                target.relation = "and"
            if len(target.groups) in (1, 2):
                pieces = self.scenes.caption(target)
        return [source], target, pieces

    def mention(self, scene, group):
        """'it' when there is one group, else its name, sometimes with its colour."""
        if len(scene.groups) == 1 and self.rng.random() < 0.4:
            return ["it"]
        return self.scenes.name_group(Group(group.concept, 1, group.colour if self.rng.random() < 0.3 else None))

    # -- the changes; each alters the scene in place and returns its wording -----------------
    def background(self, scene):
        new = self.scenes.background(settings=0.5)
        while new == scene.background:
            new = self.scenes.background(settings=0.5)
        scene.background = new
        if new.kind == "plain":
            return self.rng.choice(
                [["remove", "background"], ["change", "background", "to", "white"], ["plain"], ["white", "background"]]
            )
        words = self.scenes.name_background(new)
        bare = [w for w in words if w not in ("on", "with", "in", "background")]
        return self.rng.choice(
            [
                ["change", "background", "to"] + bare,
                ["change", "background"] + bare,
                ["add", "it"] + words,
                words,
                ["change", "to"] + words,
                ["replace", "background", "with"] + bare,
                ["move", "it", "to"] + bare,
            ]
        )

    def add(self, scene):
        rng, host = self.rng, self.rng.choice(scene.groups)
        fresh = self.scenes.group([g.concept for g in scene.groups], many=0.08)
        style = rng.choices(["free", "relation", "place", "worn", "held"], [30, 24, 12, 22, 12])[0]
        fresh.depth = 5
        if style in ("worn", "held"):
            hosts = [g for g in scene.groups if g.concept in self.scenes.heads and g.count == 1]
            if not hosts and rng.random() < 0.85:
                style = "free"
            elif hosts:
                host = rng.choice(hosts)
        if style == "worn":
            words = self.dress(scene, host)
            return words
        if style == "held":
            fresh = self.scenes.group(many=0, concept=self.scenes.thing_held([g.concept for g in scene.groups]))
            fresh.size, fresh.count, fresh.depth = None, 1, 6
            fresh.boxes = [held_box(host.boxes[0], self.scenes.heads.get(host.concept))]
            name, new = self.mention(scene, host), self.scenes.name_group(fresh)
            words = rng.choice([name + ["holding"] + new, ["holding"] + new, ["add"] + name + ["holding"] + new, ["change"] + name + ["holding"] + new])
        elif style == "relation":
            relation = rng.choice(BESIDE)
            self.set_beside(scene, fresh, host, relation)
            words = ["add"] + self.scenes.name_group(fresh) + [relation] + self.mention(scene, host)
        elif style == "place":
            place = rng.choice(list(PLACES)[:4])
            self.make_room(scene, place)
            x, y = ROOMS[place]
            self.scenes.fill(fresh, x * scene.width, y * scene.height, 0.32, 0.32)
            words = ["add"] + self.scenes.name_group(fresh) + [place]
        else:
            self.stand_beside(scene, fresh)
            words = rng.choice([["add"], ["add"], ["add"], ["with"], ["and"]]) + self.scenes.name_group(fresh)
        scene.groups.append(fresh)
        return words

    def set_beside(self, scene, group, host, relation):
        """Puts a group where the relation to its host says; beside something means on the ground that it stands on."""
        cx, cy, size = host.boxes[0]
        ex, ey = self.scenes.extents[host.concept]
        own = self.scenes.extents[group.concept][1]
        s = 0.34 if group.size is None else 0.22 if group.size == "small" else 0.42
        reach_x, reach_y = 0.5 * size * ex + 0.45 * s, 0.5 * size * ey + 0.45 * s
        level = 0.5 * size * ey - 0.5 * s * own
        dx, dy = {
            "above": (0, -reach_y),
            "below": (0, reach_y),
            "left_of": (-reach_x, level),
            "right_of": (reach_x, level),
            "next_to": (reach_x if cx < scene.width * 0.6 else -reach_x, level),
            "on": (0, -0.5 * size * ey - 0.4 * s * own),
            "with": (reach_x * 0.8, level),
            "behind": (-0.3 * size * ex, -0.28 * size * ey),
            "in_front": (0.24 * size * ex, level + 0.05),
            "in": (0, -0.2 * size * ey),
        }[relation]
        group.depth = -1 if relation == "behind" else 5
        if relation == "in":
            s = min(s, 0.55 * size)
        x, y = self.inside(scene, cx + dx, cy + dy, s)
        self.scenes.fill(group, x, y, s, s)

    def dress(self, scene, host):
        """Something worn, on the head, eyes, neck or body of the host."""
        rng = self.rng
        fresh = self.scenes.group(many=0, concept=self.scenes.worn_concept())
        fresh.size, fresh.count, fresh.depth = None, 1, 6
        name = self.scenes.names[fresh.concept]
        fresh.boxes = [worn_box(b, self.scenes.heads.get(host.concept), name, self.scenes.extents[fresh.concept]) for b in host.boxes[:1]]
        scene.groups.append(fresh)
        owner, new = self.mention(scene, host), self.scenes.name_group(fresh)
        return rng.choice(
            [
                ["add"] + new + rng.choice([[], ["on", "it"]]) if len(scene.groups) == 2 else ["add"] + new + ["on"] + owner,
                ["add"] + new + rng.choice([["on"], ["to"]]) + owner,
                owner + ["wearing"] + new,
                ["wearing"] + new if len(scene.groups) == 2 else owner + ["wearing"] + new,
                ["add"] + owner + new if owner != ["it"] else ["add"] + new + ["on", "it"],
                ["change"] + owner + ["wearing"] + new,
            ]
        )

    def mood(self, scene):
        able = [g for g in scene.groups if g.concept in self.scenes.heads]
        if not able:
            return self.add(scene)
        group = self.rng.choice(able)
        old = self.mention(scene, group)
        group.mood = self.rng.choice([m for m in MOODS if m != group.mood])
        return self.rng.choice([["change"] + old + [group.mood], ["change"] + old + ["to"] + [group.mood], [group.mood] + old, old + [group.mood]])

    def pattern(self, scene):
        able = [g for g in scene.groups if self.scenes.recolourable[g.concept] and g.pattern is None]
        if not able:
            return self.add(scene)
        group = self.rng.choice(able)
        old = self.mention(scene, group)
        group.pattern = self.rng.choice(PATTERNS[1:])
        return self.rng.choice([["change"] + old + [group.pattern], ["add", group.pattern, "to"] + old, [group.pattern] + old])

    def stand_beside(self, scene, fresh):
        """Things of the sky go up, the rest stands beside what is there, on the same ground; tall things behind it."""
        if fresh.concept in self.scenes.sky:
            x, y = self.free_spot(scene)
            self.scenes.fill(fresh, x, y, 0.32, 0.32)
            return
        tall = fresh.concept in self.scenes.tall
        s = 0.5 if tall else 0.36
        boxes = [(x, y, size, self.scenes.extents[g.concept]) for g in scene.groups for x, y, size in g.boxes]
        floor = min(max(y + 0.5 * size * e[1] for _, y, size, e in boxes), 0.92 * scene.height)
        right = scene.width - max(x + 0.5 * size * e[0] for x, _, size, e in boxes)
        left = min(x - 0.5 * size * e[0] for x, _, size, e in boxes)
        x = scene.width - 0.5 * s if right >= left - 0.04 else 0.5 * s
        if fresh.count > 1:
            s = 0.3
        self.scenes.fill(fresh, x, 0, s if fresh.count == 1 else 0.42, s)
        lowest = max(y + 0.5 * size * self.scenes.extents[fresh.concept][1] for _, y, size in fresh.boxes)
        down = floor + (0.0 if tall else 0.03) - lowest
        fresh.boxes = [(bx, by + down, size) for bx, by, size in fresh.boxes]
        fresh.depth = -1 if tall else 5

    def remove(self, scene):
        if len(scene.groups) < 2:
            return self.replace(scene)
        group = scene.groups.pop(self.rng.randrange(len(scene.groups)))
        return ["remove"] + self.scenes.name_group(
            Group(group.concept, 1, group.colour if self.rng.random() < 0.3 else None)
        )

    def replace(self, scene):
        group = self.rng.choice(scene.groups)
        old = self.mention(scene, group)
        group.concept = self.scenes.concept([g.concept for g in scene.groups])
        group.colour = group.mood = group.pattern = None
        if self.scenes.recolourable[group.concept] and self.rng.random() < 0.15:
            group.colour = self.scenes.colour()
        new = self.scenes.name_group(Group(group.concept, 1, group.colour))
        return self.rng.choice(
            [
                ["replace"] + old + ["with"] + new,
                ["change"] + old + ["to"] + new,
                ["change"] + old + ["in"] + new,
                ["replace"] + old + ["to"] + new,
            ]
        )

    def recolour(self, scene):
        able = [g for g in scene.groups if self.scenes.recolourable[g.concept]]
        if not able:
            return self.background(scene)
        group = self.rng.choice(able)
        old = self.mention(scene, group)
        group.colour = self.scenes.colour()
        new = self.scenes.name_colour(group.colour)
        return self.rng.choice(
            [["change"] + old + new, ["change"] + old + ["to"] + new, new + (old if old != ["it"] else [group.concept])]
        )

    def move(self, scene):
        group = self.rng.choice(scene.groups)
        others = [g for g in scene.groups if g is not group and g.count == 1]
        if others and self.rng.random() < 0.7:
            host, relation = self.rng.choice(others), self.rng.choice(BESIDE)
            name = self.scenes.name_group(Group(group.concept, 1))
            self.set_beside(scene, group, host, relation)
            scene.relation = None
            return ["move"] + name + [relation] + self.mention(scene, host)
        place = self.rng.choice(list(PLACES))
        px, py = PLACES[place]
        cx = sum(b[0] for b in group.boxes) / group.count
        cy = sum(b[1] for b in group.boxes) / group.count
        dx = 0 if px is None else px * scene.width - cx
        dy = 0 if py is None else py * scene.height - cy
        words = (
            self.rng.choice([["move"], ["move"], ["add"]])
            + self.mention(scene, group)
            + self.rng.choice([[], ["to"]])
            + [place]
        )
        group.boxes = [(x + dx, y + dy, s) for x, y, s in group.boxes]
        return words

    def number(self, scene):
        """Another number of what the picture shows."""
        if len(scene.groups) != 1:
            return self.move(scene)
        group = scene.groups[0]
        old = self.mention(scene, group)
        before, group.size = group.count, None
        group.count = self.rng.choice([n for n in (1, 2, 2, 3, 3, 4, 5, 6) if n != before])
        scene.place = None
        self.scenes.arrange(scene)
        if group.count > before and self.rng.random() < 0.3:
            return ["add"] + self.scenes.name_group(Group(group.concept, group.count - before))
        return ["change"] + old + ["to"] + self.scenes.name_group(Group(group.concept, group.count))

    def resize(self, scene):
        group = self.rng.choice(scene.groups)
        word = self.rng.choice(["bigger", "smaller"])
        words = self.mention(scene, group)
        factor = 1.45 if word == "bigger" else 0.6
        group.boxes = [(x, y, min(s * factor, 1.0)) for x, y, s in group.boxes]
        return self.rng.choice([["change"] + words + [word], [word] + words])

    # -- several references ------------------------------------------------------------------
    def several(self, width, height, count):
        """count references of one object each → (references, target, instruction pieces)."""
        rng, sources = self.rng, []
        while len(sources) < count:
            scene = self.scenes.scene(width, height)
            used = [g.concept for s in sources for g in s.groups]
            if len(scene.groups) == 1 and scene.groups[0].count == 1 and scene.groups[0].concept not in used:
                sources.append(scene)
        if count == 2 and rng.random() < 0.4:
            return self.borrow(sources)
        groups = [replace(s.groups[0], count=1, size=None, depth=0, boxes=[]) for s in sources]
        relation = (
            "and"
            if count > 2
            else rng.choice(
                [
                    "and",
                    "and",
                    "next_to",
                    "left_of",
                    "right_of",
                    "above",
                    "below",
                    "on",
                    "behind",
                    "in_front",
                    "with",
                    "riding",
                    "wearing",
                    "holding",
                    "eating",
                    "in",
                ]
            )
        )
        target = Scene(groups, deepcopy(sources[0].background), width, height, relation)
        tail = []
        if rng.random() < 0.35:
            target.background = self.scenes.background(settings=0.5)
            tail = self.scenes.name_background(target.background) or ["plain"]
        self.scenes.arrange(target)
        images = [f"image_{i + 1}" for i in range(count)]
        names = [[g.concept] for g in groups] if rng.random() < 0.5 else [[i] for i in images]
        if relation == "and":
            body = rng.choice(
                [
                    ["combine"],
                    ["combine", "it"],
                    ["combine"] + sum(names, []),
                    sum((n + ["and"] for n in names), [])[:-1],
                    ["add"] + sum(names, []),
                ]
            )
        else:
            body = names[0] + [relation] + names[1]
        return sources, target, body + tail

    def borrow(self, sources):
        """Takes the object or the background of the second reference into the first."""
        rng, target = self.rng, deepcopy(sources[0])
        other = sources[1].groups[0]
        if rng.random() < 0.5:
            target.background = deepcopy(sources[1].background)
            return (
                sources,
                target,
                rng.choice(
                    [
                        ["image_1", "on", "background", "image_2"],
                        ["change", "background", "to", "background", "image_2"],
                        ["add", target.groups[0].concept, "in", "image_2"],
                        ["add", "image_1", "in", "image_2"],
                        ["replace", "background", "with", "image_2"],
                    ]
                ),
            )
        fresh = replace(other, count=1, size=None, depth=5, boxes=[])
        self.stand_beside(target, fresh)
        target.groups.append(fresh)
        return (
            sources,
            target,
            rng.choice(
                [
                    ["add", other.concept, "image_2", "to", "image_1"],
                    ["add", other.concept, "to", "image_1"],
                    ["add", "it", "image_2", "to", "image_1"],
                    ["add", other.concept],
                    ["add", "image_2", "to", "image_1"],
                ]
            ),
        )

    def make_room(self, scene, place):
        """Draws what is there together on the other side, so that nothing is covered."""
        keep = 0.66
        shift_x = {"at_left": 1 - keep, "at_right": 0}.get(place, (1 - keep) / 2)
        shift_y = {"at_top": 1 - keep, "at_bottom": 0}.get(place, (1 - keep) / 2)
        for group in scene.groups:
            group.boxes = [
                (x * keep + shift_x * scene.width, y * keep + shift_y * scene.height, s * keep * 1.1)
                for x, y, s in group.boxes
            ]

    # -- geometry ------------------------------------------------------------------------
    def free_spot(self, scene):
        def clearance(spot):
            return min(
                ((spot[0] * scene.width - x) ** 2 + (spot[1] * scene.height - y) ** 2) ** 0.5 - 0.5 * s
                for g in scene.groups
                for x, y, s in g.boxes
            )

        # The right upper corner wins ties, so that "add a star" has one answer.
        spot = max(enumerate(SKY_SPOTS), key=lambda item: round(clearance(item[1]), 1) - 0.001 * item[0])[1]
        return spot[0] * scene.width, spot[1] * scene.height

    def inside(self, scene, x, y, size):
        half = 0.45 * size
        return min(max(x, half), scene.width - half), min(max(y, half), scene.height - half)
