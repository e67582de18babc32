import { describe, expect, test } from 'vitest';
import { conversation } from '../../testing/text/conversations.ts';
import type { Turn } from './conversation.ts';
import { PromptBuilder, type PromptSettings } from './prompt-builder.ts';

const signal = new AbortController().signal;
const settings: PromptSettings = {
  systemPrompt: undefined,
  temperature: 0.7,
  retrieval: false,
  hasVision: false,
};
const reader = { read: async () => '[image: read]' };
const builder = new PromptBuilder({ reader, retriever: undefined });
const image = { type: 'image', mediaType: 'image/png', base64: 'AAAA', name: undefined } as const;

describe('the system text', () => {
  test.each([
    ['the caller sent none and the stack has one', undefined, 'stack', 'stack'],
    ['the caller sent one', 'caller', 'stack', 'caller'],
    ['the caller sent an empty one', '', 'stack', ''],
    ['nobody has one', undefined, undefined, undefined],
  ])('when %s', async (_when, system, systemPrompt, expected) => {
    const built = await builder.build(conversation({ system }), { ...settings, systemPrompt }, signal);
    expect(built.system).toBe(expected);
  });

  test.each([
    ['caller', 'caller\n\nexcerpt about: Hello'],
    ['', 'excerpt about: Hello'],
    [undefined, 'stack\n\nexcerpt about: Hello'],
  ])('gets the excerpt appended after %j', async (system, expected) => {
    const retriever = { excerpt: async (question: string) => `excerpt about: ${question}` };
    const retrieving = new PromptBuilder({ reader, retriever });
    const asked = { ...settings, systemPrompt: 'stack', retrieval: true };
    expect((await retrieving.build(conversation({ system }), asked, signal)).system).toBe(expected);
    expect(
      (await retrieving.build(conversation({ system }), { ...asked, retrieval: false }, signal)).system,
    ).toBe(system ?? 'stack');
  });

  test('is asked for with the last user text, without reminders and tool results', async () => {
    const questions: string[] = [];
    const retriever = {
      excerpt: async (question: string) => {
        questions.push(question);
        return undefined;
      },
    };
    const turns: readonly Turn[] = [
      { role: 'user', parts: [{ type: 'text', text: 'first' }] },
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'the question' },
          { type: 'text', text: 'environment', isReminder: true },
        ],
      },
      { role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'f', arguments: '{}' }] },
      { role: 'tool', callId: 'a', parts: [{ type: 'text', text: 'result' }], isError: false },
    ];
    await new PromptBuilder({ reader, retriever }).build(
      conversation({ turns }),
      { ...settings, retrieval: true },
      signal,
    );
    expect(questions).toEqual(['the question']);
  });
});

describe('attachments', () => {
  const turns: readonly Turn[] = [{ role: 'user', parts: [{ type: 'text', text: 'What is this?' }, image] }];

  test('are seen by a model with vision', async () => {
    const built = await builder.build(conversation({ turns }), { ...settings, hasVision: true }, signal);
    expect(built.turns).toEqual(turns);
  });

  test('are read for a model without', async () => {
    const built = await builder.build(conversation({ turns }), settings, signal);
    expect(built.turns).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'What is this?' },
          { type: 'text', text: '[image: read]' },
        ],
      },
    ]);
  });

  test('that are documents are read for every model', async () => {
    const document = { ...image, type: 'document' } as const;
    const withDocument = conversation({
      turns: [{ role: 'tool', callId: 'a', isError: false, parts: [document] }],
    });
    const built = await builder.build(withDocument, { ...settings, hasVision: true }, signal);
    expect(built.turns).toMatchObject([{ role: 'tool', parts: [{ type: 'text' }] }]);
  });
});

test('temperature and top_p are filled in where the caller said nothing', async () => {
  const { sampling } = await builder.build(conversation(), { ...settings, temperature: 0.2 }, signal);
  expect(sampling).toMatchObject({ temperature: 0.2, topP: 1 });
  const said = { ...conversation().sampling, temperature: 0, topP: 0.5 };
  const kept = await builder.build(conversation({ sampling: said }), settings, signal);
  expect(kept.sampling).toMatchObject({ temperature: 0, topP: 0.5 });
});
