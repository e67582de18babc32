"""Judges of answers: documents, answers from a text, JSON."""

import html
import json
import re
from html.parser import HTMLParser

VOID = {'area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr'}
CSS = re.compile(r'[a-z-]+\s*:\s*[^;{}]+;|\{[^{}]*:[^{}]*\}')
# Openings of an instruction that must not stand in its document.
ECHOES = ('write a', 'write an', 'write the', 'write to', 'make a', 'make an', 'please make', 'please write', 'rules:', 'instruction:', 'a4 with margins')


class Page(HTMLParser):
    """Whether tags are closed in order, and the text that is printed."""

    def __init__(self):
        super().__init__()
        self.open, self.broken, self.text, self.tags, self.lang = [], False, [], set(), None

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag == 'html':
            self.lang = dict(attrs).get('lang')
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.broken = True

    def handle_data(self, data):
        if not {'style', 'script', 'title'} & set(self.open):
            self.text.append(data)


def folded(text):
    return re.sub(r'\s+', ' ', html.unescape(text)).lower().replace('’', "'").strip()


def numbers(text):
    return set(re.findall(r'\d+', text))


def document_faults(order, answer, facts):
    """What is wrong with a document; empty if nothing is."""
    if answer is None:
        return ['cut off']
    faults = []
    page = Page()
    page.feed(answer)
    page.close()
    text = folded(' '.join(page.text))
    if not answer.strip().lower().startswith('<!doctype html') or not answer.strip().lower().endswith('</html>'):
        faults.append('not a whole document')
    if page.broken or page.open or not {'html', 'head', 'title', 'body'} <= page.tags or not page.lang:
        faults.append('not valid')
    if '```' in answer:
        faults.append('a fence')
    if CSS.search(' '.join(page.text)):
        faults.append('CSS as text')
    if any(text.startswith(echo) for echo in ECHOES) or 'complete html document' in text:
        faults.append('an echo')
    missing = [fact for fact in facts if folded(fact) not in text]
    if missing:
        faults.append(f'missing: {", ".join(missing)}')
    invented = sorted(numbers(text) - numbers(order))
    if invented:
        faults.append(f'invented: {", ".join(invented)}')
    return faults


def says_unknown(answer):
    text = folded(answer)
    return any(words in text for words in ("don't know", 'do not know', 'does not say', "doesn't say", 'not mentioned', 'no information', 'not stated', 'does not mention'))


def answer_right(answer, accepted):
    if answer is None or says_unknown(answer):
        return False
    text = folded(answer)
    return any(re.search(rf'(?<![\w]){re.escape(folded(each))}(?![\w])', text) for each in accepted)


def same_json(answer, wanted):
    """The share of right members."""
    try:
        given = json.loads(answer or '')
    except ValueError:
        return 0.0
    if not isinstance(given, dict):
        return 0.0
    return sum(given.get(key, ...) == item for key, item in wanted.items()) / len(wanted)
