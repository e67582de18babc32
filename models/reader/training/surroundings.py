"""Other surroundings for the values of a written document, so that its text cannot be learnt by heart: lines left out, other figures, blocks of other documents."""

import re

from chance import DICE, chance, pick
from swaps import other_number
from written import Line, Written, all_written

Blocks = list[list[Line]]


def is_marked(line: Line) -> bool:
    return any(marks for cell in line for _, marks in cell)


def other_surroundings(blocks: Blocks, written: Written) -> Blocks:
    if chance(0.15):
        blocks = with_lines_left_out(blocks)
    if chance(0.4):
        blocks = with_other_figures(blocks)
    if chance(0.15):
        blocks = with_foreign_block(blocks, written)
    return blocks


def with_lines_left_out(blocks: Blocks) -> Blocks:
    thinned = [[line for line in block if is_marked(line) or not chance(0.25)] for block in blocks]
    return [block for block in thinned if block]


def with_other_figures(blocks: Blocks) -> Blocks:
    """Figures of two digits and more outside of the values, but for years."""
    figure = lambda text: re.sub(r"(?<!\d)(?!(?:19|20)\d\d(?!\d))\d{2,}", other_number, text)
    return [[[[(text if marks else figure(text), marks) for text, marks in cell] for cell in line] for line in block] for block in blocks]


def with_foreign_block(blocks: Blocks, written: Written) -> Blocks:
    """Between the blocks, one without values of another document in the same language."""
    foreign = [block for other in DICE.sample(all_written(), 40) if other.language == written.language and other is not written for block in other.blocks if not any(map(is_marked, block))]
    if not foreign:
        return blocks
    place = DICE.randint(0, len(blocks))
    return [*blocks[:place], pick(foreign), *blocks[place:]]
