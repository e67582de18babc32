"""Splits articles of SQuAD (CC BY-SA 4.0, https://rajpurkar.github.io/SQuAD-explorer/) into training, development and held-out ones.

    python prepare_squad.py dev-v2.0.json [more.json …] data/

Development and held-out articles are those of the first file; they are left out of the others."""

import json
import sys
from pathlib import Path

HELD_OUT = ('Steam_engine', 'Harvard_University', 'Warsaw', 'Immune_system', 'Islamism')
DEVELOPMENT = ('Packet_switching', 'Huguenot')


def main(sources, target):
    files = [json.loads(source.read_text())['data'] for source in sources]
    parts = {'squad_held_out': HELD_OUT, 'squad_development': DEVELOPMENT}
    chosen = {name: [article for article in files[0] if article['title'] in titles] for name, titles in parts.items()}
    chosen['squad_train'] = [article for articles in files for article in articles if article['title'] not in HELD_OUT + DEVELOPMENT]
    for name, own in chosen.items():
        (target / f'{name}.json').write_text(json.dumps(own, ensure_ascii=False))
        print(name, len(own), sum(len(paragraph['qas']) for article in own for paragraph in article['paragraphs']))


if __name__ == '__main__':
    main([Path(name) for name in sys.argv[1:-1]], Path(sys.argv[-1]))
