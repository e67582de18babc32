"""Judges answers that a gateway gave: reads a list of {set, kind, answer, ...} from standard input, writes whether each is right, and why a document is not.

    python3 judge_answers.py < answers.json

Kinds: document (order, facts), told (accepted), silent, calls (functions, accepted, calls: [[name, arguments]])."""

import json
import sys

from bfcl_checker import calls_right
from judge import answer_right, document_faults, says_unknown


def judged(entry):
    answer = entry.get('answer')
    if entry['kind'] == 'document':
        faults = document_faults(entry['order'], answer, entry['facts'])
        return {'right': not faults, 'faults': faults}
    if entry['kind'] == 'told':
        return {'right': answer_right(answer, entry['accepted'])}
    if entry['kind'] == 'silent':
        return {'right': says_unknown(answer or '')}
    return {'right': calls_right(entry['functions'], [tuple(call) for call in entry['calls']], entry['accepted'])}


if __name__ == '__main__':
    json.dump([judged(entry) for entry in json.load(sys.stdin)], sys.stdout)
