import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ReplyBlock } from '../../reply.ts';
import type { FinishReason } from '../../text-event.ts';
import { chatReplyJson, chatReplySchema } from './chat-reply.ts';

const identity = { id: 'chatcmpl-abc', created: 1_800_000_000, model: 'fox' };
const said = (text: string): ReplyBlock => ({ block: { type: 'text' }, text });
const thought = (text: string): ReplyBlock => ({ block: { type: 'reasoning' }, text });
const called = (id: string, text: string): ReplyBlock => ({
  block: { type: 'tool-call', id, name: 'look' },
  text,
});

function replyTo(blocks: readonly ReplyBlock[], reason: FinishReason = 'stop') {
  const usage = { promptTokens: 7, completionTokens: 5 };
  const given = { blocks, reason, stopSequence: undefined, usage };
  const reply = JSON.parse(chatReplyJson(identity, given));
  expect(z.strictObject(chatReplySchema.shape).parse(reply)).toEqual(reply);
  return reply;
}

test('a text answer has exactly these members', () => {
  expect(replyTo([said('Hello'), said(' there')])).toEqual({
    id: 'chatcmpl-abc',
    object: 'chat.completion',
    created: 1_800_000_000,
    model: 'fox',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'Hello there', refusal: null },
        finish_reason: 'stop',
        logprobs: null,
      },
    ],
    usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
  });
});

test('an answer that only calls tools has null content and string arguments', () => {
  const call = (id: string, text: string) => ({
    id,
    type: 'function',
    function: { name: 'look', arguments: text },
  });
  expect(replyTo([called('a', '{"at":1}'), called('b', '')], 'tool-calls').choices[0]).toMatchObject({
    message: { content: null, tool_calls: [call('a', '{"at":1}'), call('b', '{}')] },
    finish_reason: 'tool_calls',
  });
});

test('an answer with text and calls has both', () => {
  expect(replyTo([said('Wait.'), called('a', '{}')]).choices[0]?.message).toMatchObject({
    content: 'Wait.',
    tool_calls: [{ id: 'a' }],
  });
});

test('an answer without any block is an empty text', () => {
  expect(replyTo([]).choices[0]?.message).toEqual({ role: 'assistant', content: '', refusal: null });
});

test('reasoning is separate from the text', () => {
  expect(replyTo([thought('Hm. '), said('Yes.'), thought('Sure.')]).choices[0]?.message).toEqual({
    role: 'assistant',
    content: 'Yes.',
    reasoning_content: 'Hm. Sure.',
    refusal: null,
  });
});

test.each([
  ['stop', 'stop'],
  ['length', 'length'],
  ['tool-calls', 'tool_calls'],
  ['refusal', 'stop'],
] as const)('the reason %s is called %s', (reason, finishReason) => {
  expect(replyTo([said('x')], reason).choices[0]?.finish_reason).toBe(finishReason);
});

test('a single text and the model of its answer keep every character', () => {
  const text = 'a "quoted" \\ text\n with \u2028 and \ud83d\ude00';
  const given = {
    blocks: [said(text)],
    reason: 'stop',
    stopSequence: undefined,
    standIn: 'a "fox"',
  } as const;
  const usage = { promptTokens: 7, completionTokens: 5 };
  const written = chatReplyJson(identity, { ...given, usage });
  const parsed = z.strictObject(chatReplySchema.shape).parse(JSON.parse(written));
  expect(parsed).toMatchObject({ model: 'a "fox"', choices: [{ message: { content: text } }] });
  const withPassages = JSON.parse(chatReplyJson(identity, { ...given, usage, knowledge: [] }));
  expect(withPassages).toEqual({ ...parsed, knowledge: [] });
  expect(JSON.stringify({ ...withPassages, knowledge: undefined })).toBe(written);
});
