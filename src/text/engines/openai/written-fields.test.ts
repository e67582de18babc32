import { expect, it } from 'vitest';
import { conversation } from '../../../../testing/text/conversations.ts';
import type { Conversation } from '../../conversation.ts';
import { buildChatFields } from './chat-body.ts';
import { WrittenFields } from './written-fields.ts';

const settings = { model: 'm', hasVision: false, defaultTemperature: 0.7 };
const plain = conversation();
const { sampling } = plain;

/** Conversations in the order in which an engine is asked; each differs from the one before. */
const asked: readonly Conversation[] = [
  plain,
  { ...plain, sampling: { ...sampling, maxTokens: sampling.maxTokens + 1 } },
  { ...plain, sampling: { ...sampling, seed: 7 } },
  plain,
  { ...plain, sampling: { ...sampling, stop: ['x'] } },
  { ...plain, sampling: { ...sampling, stop: ['y'] } },
  { ...plain, templateArguments: { thinking: true } },
  { ...plain, templateArguments: { thinking: false } },
  { ...plain, output: { type: 'json' } },
  { ...plain, output: { type: 'schema', name: 'answer', schema: { type: 'object' } } },
  plain,
];

it('writes the fields of each request, whether they are those of the one before or not', () => {
  const written = new WrittenFields();
  for (const each of asked.flatMap((one) => [one, one])) {
    const fields = buildChatFields({ conversation: each }, settings);
    expect(written.write(fields)).toBe(JSON.stringify(fields));
  }
});
