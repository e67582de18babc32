import { expect, test } from 'vitest';
import type { Turn } from './conversation.ts';
import { retrievalQuestion } from './retrieval-question.ts';

const said = (text: string): Turn => ({ role: 'user', parts: [{ type: 'text', text }] });
const answered = (text: string): Turn => ({ role: 'assistant', text, toolCalls: [] });
const LONG = 'How many days do I have to send back a pair of shoes that I never wore?';

test('is the last user text, without reminders and tool results', () => {
  const turns: readonly Turn[] = [
    said('What are your opening hours on public holidays in the winter season?'),
    {
      role: 'user',
      parts: [
        { type: 'text', text: LONG },
        { type: 'text', text: 'The working folder is /home.', isReminder: true },
      ],
    },
    { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }] },
    { role: 'tool', callId: 'a', parts: [{ type: 'text', text: 'result' }], isError: false },
  ];
  expect(retrievalQuestion(turns)).toBe(LONG);
});

test('includes earlier messages if it is short', () => {
  const turns = [
    said('Anything new?'),
    answered('No.'),
    said(LONG),
    answered('30 days.'),
    said('And books?'),
  ];
  expect(retrievalQuestion(turns)).toBe(`${LONG}\n30 days.\nAnd books?`);
  expect(retrievalQuestion([said('Books?')])).toBe('Books?');
});

test('includes only the start of them', () => {
  const question = retrievalQuestion([
    said('x'.repeat(5_000)),
    answered('y'.repeat(5_000)),
    said('And books?'),
  ]);
  expect(question.length).toBeLessThan(1_000);
  expect(question.endsWith('\nAnd books?')).toBe(true);
});

test('is empty without user text', () => {
  expect(retrievalQuestion([])).toBe('');
  expect(retrievalQuestion([answered('Hello'), said('  ')])).toBe('');
});
