"""The dice of the generator: one seeded source, so that a worker's documents can be made again."""

import random

DICE = random.Random()


def chance(probability: float) -> bool:
    return DICE.random() < probability


def pick(options):
    return options[int(DICE.random() * len(options))]


def weighted(options: dict):
    return DICE.choices(list(options), list(options.values()))[0]


def some(options, most: int, least: int = 0) -> list:
    options = list(options)
    most = min(most, len(options))
    return DICE.sample(options, DICE.randint(min(least, most), most))


def digits(count: int) -> str:
    return "".join(pick("0123456789") for _ in range(count))


def letters(count: int) -> str:
    return "".join(pick("ABCDEFGHJKLMNPQRSTUVWXYZ") for _ in range(count))
