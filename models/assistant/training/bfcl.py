"""Questions of the Berkeley Function-Calling Leaderboard in the form in which the gateway puts them to the model."""

import copy
import json
import re

from tokens import chat_prompt
from tools import REFUSALS, tools_system, written_call

TYPES = {'dict': 'object', 'float': 'number', 'tuple': 'array', 'any': None, 'Any': None}


def as_json_schema(schema):
    """The leaderboard's own types, as JSON Schema."""
    if isinstance(schema, list):
        return [as_json_schema(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    changed = {}
    for key, item in schema.items():
        if key == 'type' and isinstance(item, str):
            item = TYPES.get(item, item)
            if item is None:
                continue
        elif key == 'properties':
            item = {name: as_json_schema(inner) for name, inner in item.items()}
        elif key in ('items', 'additionalProperties'):
            item = as_json_schema(item)
        elif key == 'optional':
            continue
        changed[key] = item
    return changed


def declared(function):
    return {'type': 'function', 'function': {'name': function['name'].replace('.', '_'), 'description': function['description'], 'parameters': as_json_schema(function['parameters'])}}


def bfcl_prompt(entry, functions=None):
    system = '\n\n'.join(turn['content'] for turn in entry['turns'] if turn['role'] == 'system') or None
    turns = [(turn['role'], turn['content']) for turn in entry['turns'] if turn['role'] != 'system']
    return chat_prompt(turns, tools_system([declared(function) for function in functions or entry['functions']], system))


def written(entry):
    """The calls of an entry with the first accepted value each, parameters that may be left out left out, in the order of the declaration."""
    calls = []
    for wanted in entry['accepted']:
        ((name, accepted),) = wanted.items()
        function = next((each for each in entry['functions'] if each['name'] == name), None)
        if function is None:
            return None
        arguments = {}
        for parameter in function['parameters']['properties']:
            values = accepted.get(parameter, [''])
            if values == []:
                return None
            if '' not in values or parameter in function['parameters'].get('required', []):
                given = [value for value in values if value != '']
                if not given:
                    return None
                arguments[parameter] = plain_value(given[0])
        calls.append(written_call(name.replace('.', '_'), arguments))
    return '\n'.join(calls)


def plain_value(value):
    """Objects have lists of accepted values as members."""
    if isinstance(value, dict):
        return {key: plain_value(items[0]) if isinstance(items, list) and items else items for key, items in value.items() if not (isinstance(items, list) and '' in items)}
    if isinstance(value, list):
        return [plain_value(item) for item in value]
    return value


def bfcl_example(words, entries, most_characters=6000):
    """An entry, at times with functions of other entries beside its own."""
    entry = altered(words, words.pick(entries)) if words.chance(0.75) else words.pick(entries)
    functions = list(entry['functions'])
    if 'irrelevance' not in entry['set'] and words.chance(0.5):
        names = {function['name'] for function in functions}
        for _ in range(words.pick([1, 1, 2, 3])):
            other = words.pick(words.pick(entries)['functions'] or entry['functions'])
            if other['name'] not in names:
                functions.append(other)
                names.add(other['name'])
    words.random.shuffle(functions)
    answer = words.pick(REFUSALS) if 'irrelevance' in entry['set'] else written(entry)
    prompt = bfcl_prompt(entry, functions)
    if answer is None or answer == '' or len(prompt) > most_characters:
        return bfcl_example(words, entries, most_characters)
    return prompt, answer


def altered(words, entry):
    """The entry with other numbers and names, in the question and in the calls alike, so that they are copied and not known by heart."""
    if not entry['accepted'] or len(entry['turns']) > 2:
        return entry
    entry = copy.deepcopy(entry)
    turn = entry['turns'][-1]
    for wanted in entry['accepted']:
        for accepted in wanted.values():
            for parameter, values in accepted.items():
                if not values or isinstance(values[0], bool) or values[0] == '' or words.chance(0.3):
                    continue
                old = values[0]
                new, text = other_number(words, old, turn['content']) if isinstance(old, int) else other_name(words, old, turn['content'], entry['functions']) if isinstance(old, str) else (None, None)
                if new is not None:
                    turn['content'] = text
                    accepted[parameter] = [new, *(value for value in values[1:] if value == '')]
    if words.chance(0.4):
        rename(words, entry)
    return entry


def other_number(words, old, text):
    if abs(old) < 3 or 1900 <= old <= 2100:
        return None, None
    new = words.random.randint(max(2, old // 2), old * 2) if old > 0 else -words.random.randint(1, 2 * -old)
    if re.search(r'[a-z]\^|\dx\b|\*\*', text):
        # A formula may have the number too.
        return None, None
    found = re.findall(rf'(?<![\w.,]){re.escape(f"{old:,}")}(?![\w]|[.,]\d)|(?<![\w.,]){old}(?![\w]|[.,]\d)', text)
    if len(found) != 1:
        return None, None
    return new, text.replace(found[0], f'{new:,}' if ',' in found[0] else str(new))


def other_name(words, old, text, functions):
    """Another name for one that stands in the question once, and nowhere in the functions."""
    if not re.fullmatch(r"[A-Z][A-Za-z.'-]+( [A-Z][A-Za-z.'-]+)*", old) or len(re.findall(rf'(?<!\w){re.escape(old)}(?!\w)', text)) != 1 or old in json.dumps(functions):
        return None, None
    new = words.pick([words.name, words.person, words.company, lambda: words.odd().title()])()
    return new, text.replace(old, new)


def rename(words, entry):
    """Functions under other names."""
    names = {}
    for function in entry['functions']:
        pieces = re.split(r'[._]', function['name'])
        names[function['name']] = words.pick(['_'.join(pieces), pieces[0] + ''.join(piece[:1].upper() + piece[1:] for piece in pieces[1:]), f'{words.pick(["get", "do", "run", "api", "my", "tool"])}_{"_".join(pieces)}', f'{"_".join(pieces)}_{words.pick(["tool", "service", "v1", "info"])}'])
        function['name'] = names[function['name']]
    entry['accepted'] = [{names.get(name, name): accepted for name, accepted in wanted.items()} for wanted in entry['accepted']]


CALL = re.compile(r'<tool_call>\s*(\{.*?\})\s*</tool_call>', re.S)


def calls_of(answer):
    """[(name, arguments)] of an answer; a call that is no JSON counts as one without a name."""
    calls = []
    for text in CALL.findall(answer):
        try:
            call = json.loads(text)
            calls.append((call['name'], call['arguments']))
        except (ValueError, KeyError, TypeError):
            calls.append((None, {}))
    return calls
