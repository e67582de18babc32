"""Takes function calls out of conversations of Glaive (Apache-2.0), as LLaMA-Factory shows them in `data/glaive_toolcall_en_demo.json`.

    python prepare_glaive.py glaive_toolcall_en_demo.json data/

What shares a question or a function with the held-out half of the leaderboard is left out."""

import json
import sys
from pathlib import Path

from prepare_bfcl import marks

ROLES = {'human': 'user', 'gpt': 'assistant'}


def first_call(talk):
    """The first call of a conversation with what was said before, or nothing."""
    turns = []
    for turn in talk['conversations']:
        if turn['from'] == 'function_call':
            call = json.loads(turn['value'])
            accepted = {name: [value] for name, value in call['arguments'].items()}
            return {'set': 'glaive', 'turns': turns, 'functions': json.loads(talk['tools']), 'accepted': [{call['name']: accepted}]} if turns else None
        if turn['from'] not in ROLES:
            return None
        turns.append({'role': ROLES[turn['from']], 'content': turn['value']})
    return None


def main(source, target):
    held_out = json.loads((target / 'bfcl_held_out.json').read_text())
    unseen = set().union(*(marks(entry) for entry in held_out))
    entries = [entry for entry in map(first_call, json.loads(source.read_text())) if entry and not marks(entry) & unseen]
    (target / 'glaive_train.json').write_text(json.dumps(entries, ensure_ascii=False))
    print('glaive', len(entries))


if __name__ == '__main__':
    main(Path(sys.argv[1]), Path(sys.argv[2]))
