import { describe, expect, test } from 'vitest';
import { fileService } from '../../testing/files/file-service.ts';
import { conversation } from '../../testing/text/conversations.ts';
import type { StackFiles } from '../files/stack-files.ts';
import { storedPart, type Turn } from './conversation.ts';
import { PromptBuilder } from './prompt-builder.ts';
import type { PromptSettings } from './prompt-settings.ts';
import type { Retrieval } from './retriever.ts';

const signal = new AbortController().signal;
const fits = async () => true;
const settings: PromptSettings = {
  stackId: 'shop',
  systemPrompt: undefined,
  temperature: 0.7,
  cacheScope: 'shop',
  retrieval: undefined,
  hasVision: false,
};
const reader = { read: async () => '[image: read]' };
const builder = new PromptBuilder({ reader, retriever: undefined, files: fileService() });
const image = { type: 'image', mediaType: 'image/png', base64: 'AAAA', name: undefined } as const;

test('stored files are read together, for the stack and the request', async () => {
  const request = { signal, holdMemory: () => {} };
  const asked: unknown[] = [];
  const files: StackFiles = {
    read: async (references, reading) => {
      asked.push([references.map(({ id }) => id), reading]);
      return references.map(({ id }) => ({ id, name: `${id}.bin`, bytes: Buffer.from('GIF89a') }));
    },
  };
  const sees = { ...settings, hasVision: true };
  const turns: readonly Turn[] = [
    { role: 'user', parts: [storedPart('one', 'a'), storedPart('two', 'b', 'named')] },
    { role: 'tool', callId: 'c', isError: false, parts: [storedPart('one', 'd')] },
  ];
  const storing = new PromptBuilder({ reader, retriever: undefined, files });
  const { conversation: built } = await storing.build(
    { conversation: conversation({ turns }) },
    sees,
    request,
  );
  const gif = { type: 'image', mediaType: 'image/gif', base64: 'R0lGODlh' };
  expect(built.turns).toMatchObject([
    {
      parts: [
        { ...gif, name: 'one.bin' },
        { ...gif, name: 'named' },
      ],
    },
    { parts: [{ ...gif, name: 'one.bin' }] },
  ]);
  const mostBytes = 33_554_432;
  expect(asked).toEqual([[['one', 'two', 'one'], { stackId: 'shop', mostBytes, request }]]);
});

describe('the system text', () => {
  test.each([
    ['the caller sent none and the stack has one', undefined, 'stack', 'stack'],
    ['the caller sent one', 'caller', 'stack', 'caller'],
    ['the caller sent an empty one', '', 'stack', ''],
    ['neither has one', undefined, undefined, undefined],
  ])('when %s', async (_when, system, systemPrompt, expected) => {
    const { conversation: built } = await builder.build(
      { conversation: conversation({ system }) },
      { ...settings, systemPrompt },
      { signal },
    );
    expect(built.system).toBe(expected);
  });

  const passage = (documentId: string) => ({
    ...{ documentId, documentName: 'a.md', page: 1, relevance: 1, text: 'quoted' },
  });

  test.each([
    ['caller', 'caller\n\nexcerpt about: Hello'],
    ['', 'excerpt about: Hello'],
    [undefined, 'stack\n\nexcerpt about: Hello'],
  ])('gets the excerpt appended after %j', async (system, expected) => {
    const retriever = {
      excerpt: async ({ question, stackId }: Retrieval) => ({
        text: `excerpt about: ${question}`,
        passages: [passage(stackId)],
      }),
    };
    const retrieving = new PromptBuilder({ reader, retriever, files: fileService() });
    const asked = { ...settings, systemPrompt: 'stack', retrieval: { stackId: 'shop', fits } };
    const built = await retrieving.build({ conversation: conversation({ system }) }, asked, { signal });
    expect(built.conversation.system).toBe(expected);
    expect(built.passages).toEqual([passage('shop')]);
    const unasked = { ...asked, retrieval: undefined };
    const plain = await retrieving.build({ conversation: conversation({ system }) }, unasked, { signal });
    expect(plain.conversation.system).toBe(system ?? 'stack');
    expect(plain.passages).toEqual([]);
  });

  test('stays the same if nothing relevant is found', async () => {
    const retrieving = new PromptBuilder({
      reader,
      retriever: { excerpt: async () => undefined },
      files: fileService(),
    });
    const asked = { ...settings, systemPrompt: 'stack', retrieval: { stackId: 'shop', fits } };
    expect(await retrieving.build({ conversation: conversation() }, asked, { signal })).toMatchObject({
      conversation: { system: 'stack' },
      passages: [],
    });
  });
});

describe('attachments', () => {
  const turns: readonly Turn[] = [{ role: 'user', parts: [{ type: 'text', text: 'What is this?' }, image] }];

  test('are seen by a model with vision', async () => {
    const { conversation: built } = await builder.build(
      { conversation: conversation({ turns }) },
      { ...settings, hasVision: true },
      { signal },
    );
    expect(built.turns).toEqual(turns);
  });

  test('are read for a model without', async () => {
    const { conversation: built } = await builder.build({ conversation: conversation({ turns }) }, settings, {
      signal,
    });
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
    const { conversation: built } = await builder.build(
      { conversation: withDocument },
      { ...settings, hasVision: true },
      { signal },
    );
    expect(built.turns).toMatchObject([{ role: 'tool', parts: [{ type: 'text' }] }]);
  });
});

test('the temperature defaults to the stack’s, and top_p to 1 if the caller sets the temperature', async () => {
  const filled = await builder.build(
    { conversation: conversation() },
    { ...settings, temperature: 0.2 },
    { signal },
  );
  expect(filled.conversation.sampling).toMatchObject({ temperature: 0.2, topP: undefined });
  const said = { ...conversation().sampling, temperature: 0, topP: 0.5 };
  const kept = await builder.build({ conversation: conversation({ sampling: said }) }, settings, { signal });
  expect(kept.conversation.sampling).toMatchObject({ temperature: 0, topP: 0.5 });
  const chosen = { ...conversation().sampling, temperature: 1.1 };
  const alone = await builder.build({ conversation: conversation({ sampling: chosen }) }, settings, {
    signal,
  });
  expect(alone.conversation.sampling).toMatchObject({ temperature: 1.1, topP: 1 });
});
