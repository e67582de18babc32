"""Where things go on, in the hands of and beside others. Boxes are (cx, cy, size) in short-side units."""

import json
from pathlib import Path

WORN = json.loads((Path(__file__).parent.parent / "language" / "worn.json").read_text())
HEADWEAR, EYEWEAR, MOUTHWEAR, NECKWEAR, BODYWEAR = (set(WORN[where]) for where in ("head", "eyes", "mouth", "neck", "body"))
SKY = {
    "sun", "sun with face", "cloud", "sun behind cloud", "cloud with rain", "cloud with lightning", "cloud with lightning and rain", "cloud with snow",
    "crescent moon", "full moon", "full moon face", "first quarter moon face", "star", "glowing star", "shooting star", "comet", "rainbow",
    "bird", "eagle", "dove", "bat", "butterfly", "honeybee", "airplane", "small airplane", "helicopter", "rocket", "flying saucer", "balloon",
    "hot air balloon", "kite", "parachute", "snowflake", "fireworks", "seagull", "paper plane", "airship", "ringed planet", "satellite", "high voltage",
    "sparkles", "drone", "biplane", "fighter jet", "hang glider", "hummingbird", "wasp", "bumblebee", "moth", "firefly", "galaxy", "asteroid", "black hole", "supernova", "missile", "musical note", "musical notes", "speech balloon", "thought balloon", "umbrella", "red heart", "fly", "mosquito", "lady beetle",
}  # fmt: skip
TALL = {
    "evergreen tree", "deciduous tree", "palm tree", "Christmas tree", "tanabata tree", "mountain", "snow-capped mountain", "volcano", "house", "house with garden",
    "castle", "church", "hospital", "school", "hotel", "office building", "factory", "bank", "tent", "hut", "barn", "lighthouse", "windmill", "stone tower",
    "skyscraper", "igloo", "pyramid", "log cabin", "eiffel tower", "water well", "fountain", "ferris wheel", "stone bridge", "cliff", "hill", "waterfall",
    "bus", "delivery truck", "articulated lorry", "tractor", "fire engine", "locomotive", "ship", "sailboat", "army tank", "excavator", "caravan", "bookshelf",
    "wardrobe", "refrigerator", "fireplace", "piano", "gate", "fence", "brick wall", "bush", "cactus", "lamp post", "elephant", "giraffe",
    "palace", "mansion", "garage", "greenhouse", "pagoda", "observatory", "silo", "triumphal arch", "obelisk", "capitol", "oil rig", "hangar", "cathedral", "tavern",
    "restaurant", "cafe", "bakery", "pharmacy", "grocery store", "water mill", "bunker", "outhouse", "tree house", "gazebo", "tipi", "water tower", "control tower",
    "clock tower", "suspension bridge", "phone booth", "sailing ship", "viking ship", "warship", "container ship", "tugboat", "paddle steamer", "bulldozer", "dump truck",
    "cement mixer", "tower crane", "steamroller", "tow truck", "garbage truck", "tanker truck", "combine harvester", "double decker bus", "school bus", "space shuttle",
    "apple tree", "birch", "weeping willow", "cypress", "cherry tree", "telephone pole", "radio tower", "wind turbine", "cooling tower", "warehouse", "power pylon",
    "scaffolding", "dresser", "bunk bed", "cabinet", "campfire", "canyon", "mesa", "sand dune", "billboard", "basketball hoop", "doghouse", "market stall", "swimming pool", "pond",
}  # fmt: skip


def head_kind(head):
    """'side' of an animal, 'face' that fills the picture, or 'bust' with a small face above a body."""
    return "side" if head[5] == 0 else "face" if head[5] >= 0.09 else "bust"


def worn_box(host, head, name, extent):
    """Box of a worn thing on a host that fills its box; head: see faces.json, None for a thing without one."""
    cx, cy, s = host
    head = head or (0.5, 0.1, 0.5, 0.5, 0.35, 0, 0, 0, 0)
    hx, brim, hat, ex, ey, gap = head[:6]
    kind, (wide, tall) = head_kind(head), extent
    at = lambda x, y: (cx + (x - 0.5) * s, cy + (y - 0.5) * s)
    if name in HEADWEAR:
        size = min(1.15 * hat * s / wide, 1.0 * hat * s / tall * 1.1)
        x, y = at(hx, brim)
        return x, y - 0.3 * tall * size, size
    if name in EYEWEAR:
        size = (4.2 * gap if gap else 0.85 * hat) * s
        x, y = at(ex, ey)
        return x, y, size
    if name in MOUTHWEAR:
        x, y = at(*((head[6], head[7] - 0.25 * head[8]) if head[8] else (ex, ey + 0.5 * hat)))
        return x, y, (1.5 * head[8] if head[8] else 0.6 * hat) * s
    if name in NECKWEAR:
        x, y, share = {"face": (hx, 0.93, 0.5), "bust": (hx, 0.64, 0.34), "side": (hx + 0.07, ey + 0.8 * hat, 1.0 * hat)}[kind]
        return *at(x, y), share * s
    x, y, share = {"face": (0.5, 1.08, 0.72), "bust": (0.5, 0.76, 0.66), "side": (0.55, 0.5, 0.46)}[kind]
    return *at(x, y), share * s


def held_box(host, head):
    """Box of what a person or an animal holds: in front of the body, or at an animal's mouth."""
    cx, cy, s = host
    if head and head_kind(head) == "side":
        return cx + (head[0] - 0.5) * s - 0.08 * s, cy + (head[4] - 0.5) * s + 0.34 * s, 0.42 * s
    if head and head_kind(head) == "bust":
        return cx + 0.36 * s, cy + 0.2 * s, 0.5 * s
    return cx + 0.4 * s, cy + 0.34 * s, 0.46 * s
