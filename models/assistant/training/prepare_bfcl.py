"""Takes questions and accepted calls out of a checkout of the Berkeley Function-Calling Leaderboard (Apache-2.0) and splits them.

    git clone https://github.com/ShishirPatil/gorilla
    python prepare_bfcl.py gorilla/berkeley-function-call-leaderboard/bfcl_eval/data data/

Of each set the second half is held out: `bfcl_held_out.json`. Of the first half every fourth question is for development, the others are for training.
The sets whose calls were once executed are for training alone. What is trained on shares no question, and no function with the same description, with
what is held out."""

import ast
import json
import sys
from pathlib import Path

SETS = ['simple_python', 'multiple', 'parallel', 'parallel_multiple', 'irrelevance', 'live_simple', 'live_multiple', 'live_parallel', 'live_parallel_multiple', 'live_irrelevance']

EXECUTED = ['exec_simple', 'exec_multiple', 'exec_parallel', 'exec_parallel_multiple']


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()] if path.exists() else []


def read(folder, name):
    accepted = {entry['id']: entry['ground_truth'] for entry in lines(folder / 'possible_answer' / f'BFCL_v4_{name}.json')}
    entries = []
    for entry in lines(folder / f'BFCL_v4_{name}.json'):
        turns = entry['question'][0]
        entries.append({'id': entry['id'], 'set': name, 'turns': turns, 'functions': entry['function'], 'accepted': accepted.get(entry['id'], [])})
    return entries


def called(texts):
    """Calls as they are written in Python, with the value of each argument as the only one that is accepted; none where an argument is a sum."""
    calls = [ast.parse(text, mode='eval').body for text in texts]
    try:
        return [{ast.unparse(call.func): {argument.arg: [ast.literal_eval(argument.value)] for argument in call.keywords}} for call in calls]
    except ValueError:
        return []


def read_executed(folder, name):
    accepted = {entry['id']: called(entry['ground_truth']) for entry in lines(folder / 'unused_datasets' / 'possible_answer' / f'BFCL_v4_{name}.json')}
    questions = lines(folder / 'unused_datasets' / 'question' / f'BFCL_v4_{name}.json')
    return [{'id': entry['id'], 'set': name, 'turns': entry['question'][0], 'functions': entry['function'], 'accepted': accepted[entry['id']]} for entry in questions if accepted[entry['id']]]


def marks(entry):
    return {turn['content'] for turn in entry['turns'] if turn['role'] == 'user'} | {function['name'] + function['description'] for function in entry['functions']}


def main(source, target):
    target.mkdir(parents=True, exist_ok=True)
    train, development, held_out = [], [], []
    for name in SETS:
        entries = read(source, name)
        half = len(entries) // 2
        held_out += entries[half:]
        development += entries[:half:4]
        train += [entry for index, entry in enumerate(entries[:half]) if index % 4]
    for name in EXECUTED:
        train += read_executed(source, name)
    unseen = set().union(*(marks(entry) for entry in held_out if not entry['set'].startswith('live')))
    kept = [entry for entry in train if not marks(entry) & unseen]
    for name, entries in (('train', kept), ('development', development), ('held_out', held_out)):
        (target / f'bfcl_{name}.json').write_text(json.dumps(entries, ensure_ascii=False))
        print(name, len(entries))


if __name__ == '__main__':
    main(Path(sys.argv[1]), Path(sys.argv[2]))
