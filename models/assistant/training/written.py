"""What was written by hand: questions on texts in other words than the texts', orders with their documents, and orders with the facts that a document must hold.
Names and numbers change, so that nothing is learned by heart."""

import json
import re
from pathlib import Path

from answers import SILENT, in_context
from documents import CENTRED, STYLE, page

HERE = Path(__file__).parent
# A number with its separators; not one that counts the lines of a list.
NUMBER = re.compile(r'(?<![\w.,:/-])(?<!\n)\d+(?:[.,:/-]\d+)*(?!\w)')
CLOCK = re.compile(r'([01]?\d|2[0-3]):([0-5]\d)')
DAY = re.compile(r'\d+([./-])\d+\1\d+')
YEARS = range(1500, 2040)
# A number up to this may be a day or an hour, and stays one.
DAYS_AND_HOURS = 24
# Beside one text, this many others are quoted.
OTHERS = [0, 0, 0, 1, 1, 2]
SILENT_SHARE = 0.2
CHANGED_SHARE = 0.65


def load_written(name):
    """Entries of a file beside this one, one a line."""
    return [json.loads(line) for line in (HERE / f'written-{name}.jsonl').read_text().splitlines()]


def written_example(words, entries):
    entry = words.pick(entries)
    other = changes(words, entry['names'], entry['text'])
    text = other(entry['text'])
    if entry['silent'] and words.chance(SILENT_SHARE):
        return in_context(words, [text], other(words.pick(entry['silent']))), SILENT
    asked = words.pick(entry['asked'])
    question, answer = map(other, asked)
    if not numbers(answer) <= numbers(text):
        text, (question, answer) = entry['text'], asked
    others = [[words.pick(entries)['text']] for _ in range(words.pick(OTHERS))]
    return in_context(words, [text], spoken(words, question), others), answer


def written_document(words, entries):
    """(order, HTML)."""
    entry = words.pick(entries)
    other = changes(words, entry['names'], entry['order'])
    order, title, body = other(entry['order']), other(entry['title']), other(entry['body'])
    if not numbers(printed(body)) <= numbers(order):
        # A number stood for another one, such as the count of a line.
        order, title, body = entry['order'], entry['title'], entry['body']
    return order, page(title, body, style=CENTRED if entry['style'] == 'centred' else STYLE)


def wished_document(words, entries):
    """(order, facts that its document must hold)."""
    entry = words.pick(entries)
    other = changes(words, [], entry['order'])
    return other(entry['order']), [other(fact) for fact in entry['facts']]


def facts_of_order(entry):
    """What a document must hold of an order that has one: its names, and its numbers as far as the document has them."""
    text = printed(entry['body'])
    return [*entry['names'], *(found[0] for found in NUMBER.finditer(entry['order']) if found[0] in text)]


def printed(body):
    """The text of HTML: the digit of an <h1> is no number."""
    return re.sub(r'<[^>]*>', ' ', body)


def numbers(text):
    return set(re.findall(r'\d+', text))


def spoken(words, question):
    """The question, at times as people type it."""
    if words.chance(0.1):
        question = words.pick(['Hi, ', 'Hello, ', 'Please tell me: ', 'Quick question: ', 'One more: ']) + question[0].lower() + question[1:]
    if words.chance(0.08):
        question = question.lower()
    return question.rstrip('?') if words.chance(0.05) else question


def changes(words, names, whole):
    """A function that gives parts of a text other names and numbers, the same ones in every part; at times it changes nothing."""
    if not words.chance(CHANGED_SHARE):
        return lambda text: text
    # A part of a name that is an ordinary word stays: it may be meant elsewhere.
    ordinary = {'the', 'and', 'for', 'street', 'road', *re.findall(r'\b[a-z]+\b', whole)}
    parts = {part for name in names for part in re.findall(r"[A-Z][\w'-]{2,}", name) if part.lower() not in ordinary} if words.chance(0.75) else set()
    new_names = {part: words.name() for part in sorted(parts)}
    named = re.compile(r'\b(' + '|'.join(sorted(map(re.escape, parts), key=len, reverse=True)) + r')\b') if parts else None
    numbers = {}

    def other(text):
        if named:
            text = named.sub(lambda found: new_names[found[0]], text)
        return NUMBER.sub(lambda found: numbers.setdefault(found[0], other_number(words, found[0], numbers)), text)

    return other


def other_number(words, text, taken):
    """A number of the same form that is not yet taken."""
    for _ in range(20):
        made = number_like(words.random.randint, text)
        if made not in taken.values():
            return made
    return text


def number_like(chance, text):
    clock = CLOCK.fullmatch(text)
    if clock:
        return f'{chance(6, 22)}:{clock[2]}'
    if DAY.fullmatch(text):
        return re.sub(r'(?<!\d)(19|20)\d\d(?!\d)', lambda _: str(chance(2019, 2029)), text)
    if not text.isdigit():
        return re.sub(r'\d', lambda found: str(chance(1, 9)) if found.start() == 0 else str(chance(0, 9)), text)
    value = int(text)
    if text[0] == '0' or value < 2:
        return text
    if value <= DAYS_AND_HOURS:
        return str(chance(2, DAYS_AND_HOURS))
    if value in YEARS and len(text) == 4:
        return str(chance(value - 60, min(value + 60, YEARS[-1])))
    return str(chance(10 ** (len(text) - 1), 10 ** len(text) - 1))
