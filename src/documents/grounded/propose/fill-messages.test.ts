import { expect, it } from 'vitest';
import { extract } from '../../../../testing/documents/extract-by-rules.ts';

const text = { type: 'string' };

function listOf(properties: Readonly<Record<string, unknown>>) {
  return { type: 'array', items: { type: 'object', properties, required: Object.keys(properties) } };
}

it.each([
  ['beside a point', 'Ada Lind  ·  2024-02-01 08:10', 'Bo Marsh  ·  2024-02-01 09:45'],
  ['behind the moment', '[2024-02-01 08:10] Ada Lind:', '[2024-02-01 09:45] Bo Marsh:'],
  ['in a sentence', 'Ada Lind wrote on 2024-02-01 08:10:', 'Bo Marsh replied on 2024-02-01 09:45:'],
])('reads messages whose author stands %s', async (_, first, second) => {
  const messages = { messages: listOf({ author: text, sent_at: text, body: text }) };
  const lines = [
    'Printer jams',
    '',
    first,
    'It jams',
    'every morning.',
    '',
    '----',
    second,
    'Which tray?',
    '----',
    'End',
  ];
  expect(await extract(messages, lines)).toEqual({
    messages: [
      { author: 'Ada Lind', sent_at: '2024-02-01 08:10', body: 'It jams every morning.' },
      { author: 'Bo Marsh', sent_at: '2024-02-01 09:45', body: 'Which tray?' },
    ],
  });
});

it('reads the day and the time of messages apart', async () => {
  const day = { type: 'string', format: 'date' };
  const notes = { notes: listOf({ by: text, date: day, time: text }) };
  const lines = [
    'Ada Lind, 1 February 2024, 8:10',
    'Called.',
    '',
    'Bo Marsh, 2 February 2024, 9:45',
    'Called back.',
  ];
  expect(await extract(notes, lines)).toEqual({
    notes: [
      { by: 'Ada Lind', date: '2024-02-01', time: '8:10' },
      { by: 'Bo Marsh', date: '2024-02-02', time: '9:45' },
    ],
  });
});

it('does not read one line with a date as messages', async () => {
  const notes = { notes: listOf({ author: text, sent_at: text }) };
  expect(await extract(notes, ['Leeds, 1 February 2024', '', 'Dear Ann,'])).toEqual({ notes: [] });
});

it('reads messages in a column beside their moments, and authors without what is said of them', async () => {
  const notes = { notes: listOf({ author: text, text }) };
  const lines = [
    'Follow-ups',
    '  01-02-2024 08:10   Ada Lind (Support)',
    '                     Cable replaced.',
    '  01-02-2024 09:45   Bo Marsh',
    '                     Still jams.',
  ];
  expect(await extract(notes, lines)).toEqual({
    notes: [
      { author: 'Ada Lind', text: 'Cable replaced.' },
      { author: 'Bo Marsh', text: 'Still jams.' },
    ],
  });
});
