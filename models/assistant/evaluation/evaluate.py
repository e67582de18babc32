"""Measures a model by what it writes: development sets from the generators and from data that was not trained on, and the held-out sets if asked for.

    python evaluate.py --model base.gguf --data data [--adapter assistant.gguf] [--held-out]"""

import argparse
import json
import math
import random
import sys
from pathlib import Path

import torch

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / 'training')]

from answers import SILENT, answer_example, in_context, squad_example  # noqa: E402
from bfcl import bfcl_prompt, calls_of  # noqa: E402
from bfcl_checker import calls_right  # noqa: E402
from documents import document, document_prompt  # noqa: E402
from json_jobs import json_example  # noqa: E402
from judge import answer_right, document_faults, says_unknown, same_json  # noqa: E402
from mixture import load  # noqa: E402
from model import write_answers  # noqa: E402
from talk import talk_example  # noqa: E402
from tokens import chat_prompt  # noqa: E402
from tools import tool_example  # noqa: E402
from tools_free import free_tool_example  # noqa: E402
from words import Words  # noqa: E402

LONGEST_PROMPT = 3500
# Of what was written by hand, the first are for development, and the others are held out.
DOCUMENTS, ANSWERS, EVERYDAY = ((slice(None, at), slice(at, None)) for at in (12, 3, 20))


def dev_words(job, index):
    return Words(random.Random(f'development-{job}-{index}'))


def document_set(count):
    for index in range(count):
        order, _, facts = document(dev_words('documents', index))
        yield 'documents, generated', document_prompt(order), lambda answer, order=order, facts=facts: not document_faults(order, answer, facts)


def written_documents(label, part, file='documents.json'):
    for entry in json.loads((HERE / file).read_text())[part]:
        order, facts = entry['order'], entry['facts']
        yield f'documents written, {label}', document_prompt(order), lambda answer, order=order, facts=facts: not document_faults(order, answer, facts)


def bfcl_set(entries, count, label):
    seen = {}
    for entry in entries:
        name = entry['set']
        if seen.get(name, 0) >= count or not entry['functions']:
            continue
        seen[name] = seen.get(name, 0) + 1
        yield f'bfcl {name}, {label}', bfcl_prompt(entry), lambda answer, entry=entry: bfcl_right(entry, answer)


def bfcl_right(entry, answer):
    calls = calls_of(answer or '')
    if 'irrelevance' in entry['set']:
        return answer is not None and not calls
    return calls_right(entry['functions'], calls, entry['accepted'], parallel='parallel' in entry['set'])


def exact_set(job, make, count):
    for index in range(count):
        prompt, wanted = make(dev_words(job, index))
        if job == 'json':
            yield job, prompt, lambda answer, wanted=wanted: same_json(answer, json.loads(wanted)) == 1
        elif job == 'answers':
            yield f'answers, {"silent" if wanted == SILENT else "told"}', prompt, lambda answer, wanted=wanted: answer is not None and answer.strip() == wanted.strip() if wanted != SILENT else says_unknown(answer or '')
        else:
            yield f'{job}, generated', prompt, lambda answer, wanted=wanted: answer is not None and answer.strip() == wanted.strip()


def squad_set(articles, count, label):
    for index in range(count):
        words = dev_words(f'squad-{label}', index)
        paragraph = words.pick(words.pick(articles)['paragraphs'])
        item = words.pick(paragraph['qas'])
        accepted = [found['text'] for found in item['answers']]
        prompt = in_context(words, [paragraph['context']], item['question'].strip())
        if item.get('is_impossible'):
            yield f'squad silent, {label}', prompt, lambda answer: says_unknown(answer or '')
        else:
            yield f'squad told, {label}', prompt, lambda answer, accepted=accepted: answer_right(answer, accepted)


def written_answers(label, part, file='answers.json'):
    for entry in json.loads((HERE / file).read_text())[part]:
        words = dev_words('answers', entry['name'])
        for question, accepted in entry['asked']:
            yield f'answers written told, {label}', in_context(words, [entry['text']], question), lambda answer, accepted=accepted: answer_right(answer, accepted)
        for question in entry['silent']:
            yield f'answers written silent, {label}', in_context(words, [entry['text']], question), lambda answer: says_unknown(answer or '')


def everyday(label, part):
    for question in json.loads((HERE / 'everyday.json').read_text())[part]:
        yield f'everyday, to read, {label}', chat_prompt([('user', question)]), lambda answer: bool(answer and answer.strip())


def questions(data, count, held_out):
    yield from document_set(count)
    yield from exact_set('tools', tool_example, count)
    yield from exact_set('free tools', free_tool_example, count)
    yield from exact_set('answers', answer_example, count)
    yield from exact_set('talk', talk_example, count // 2)
    yield from exact_set('json', json_example, count // 2)
    yield from bfcl_set(load(data, 'bfcl_development.json'), count, 'development')
    squad = load(data, 'squad_development.json')
    if squad:
        yield from squad_set(squad, count, 'development')
    yield from written_documents('development', DOCUMENTS[0])
    yield from written_answers('development', ANSWERS[0])
    yield from written_documents('more development', slice(None), 'more-documents.json')
    yield from written_answers('more development', slice(None), 'more-answers.json')
    yield from everyday('development', EVERYDAY[0])
    if held_out:
        yield from written_documents('held out', DOCUMENTS[1])
        yield from bfcl_set([entry for entry in load(data, 'bfcl_held_out.json') if not entry['set'].startswith('live')], count * 2, 'held out')
        yield from written_answers('held out', ANSWERS[1])
        yield from everyday('held out', EVERYDAY[1])


def evaluate(model, tokens, data, *, count, held_out=False, most=900, keep=40):
    """(share of right answers by set, some answers of each set to read)."""
    asked = [(name, prompt, tokens.encode(prompt), judge) for name, prompt, judge in questions(data, count, held_out)]
    asked = [entry for entry in asked if len(entry[2]) <= LONGEST_PROMPT]
    long = [entry for entry in asked if entry[0].startswith('documents')]
    short = [entry for entry in asked if not entry[0].startswith('documents')]
    figures, kept = {}, {}
    for group, limit in ((long, most), (short, min(most, 320))):
        written = write_answers(model, [ids for _, _, ids, _ in group], end=tokens.end, most=limit)
        for (name, prompt, _, judge), ids in zip(group, written):
            answer = None if ids is None else tokens.decode(ids)
            right = bool(judge(answer))
            figures.setdefault(name, []).append(right)
            to_read = kept.setdefault(name, [])
            if len(to_read) < (100 if 'written' in name or 'read' in name else keep):
                to_read.append({'prompt': prompt[-400:] if 'held out' not in name else prompt[-700:], 'answer': answer, 'right': right})
    return {name: f'{sum(all_)}/{len(all_)} = {sum(all_) / len(all_):.3f}' for name, all_ in figures.items()}, kept


def perplexity(model, tokens, texts):
    total = count = 0
    with torch.no_grad():
        for text in texts:
            ids = torch.tensor([tokens.encode(text)[:1024]], device=model.device)
            logits = model.logits(model(ids)[:, :-1])
            total += torch.nn.functional.cross_entropy(logits[0], ids[0, 1:], reduction='sum').item()
            count += ids.shape[1] - 1
    return round(math.exp(total / max(1, count)), 4)


def main():
    from gguf_file import GgufFile, read_adapter
    from model import Decoder
    from tokens import Tokens

    parser = argparse.ArgumentParser()
    parser.add_argument('--model', required=True)
    parser.add_argument('--data', required=True)
    parser.add_argument('--adapter', default='')
    parser.add_argument('--count', type=int, default=200)
    parser.add_argument('--held-out', action='store_true')
    parser.add_argument('--most', type=int, default=900, help='longest document in tokens')
    parser.add_argument('--layers', type=int, default=0, help='uses the first layers only, for a trial')
    parser.add_argument('--out', default='')
    options = parser.parse_args()
    file = GgufFile(options.model)
    device = 'cuda' if torch.cuda.is_available() else 'cpu'
    pairs = read_adapter(options.adapter) if options.adapter else None
    rank = next(iter(pairs.values()))[0].shape[0] if pairs else 1
    model = Decoder(file, rank=rank, device=device, dtype=torch.bfloat16 if device == 'cuda' else torch.float32, layers=options.layers)
    if pairs:
        model.load_pairs(pairs)
    model.adapts = pairs is not None
    tokens = Tokens(file.metadata)
    figures, answers = evaluate(model, tokens, options.data, count=options.count, held_out=options.held_out, most=options.most)
    texts = [paragraph['context'] for article in load(options.data, 'squad_held_out.json') for paragraph in article['paragraphs']][: options.count]
    if texts:
        figures['perplexity'] = perplexity(model, tokens, texts)
    print(json.dumps(figures, indent=1))
    if options.out:
        Path(options.out).write_text(json.dumps({'figures': figures, 'answers': answers}, ensure_ascii=False, indent=1))


if __name__ == '__main__':
    main()
