import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChunkReader } from './chunk-reader.ts';
import { ShapeMemory } from './delta-template.ts';
import { WholeTemplate } from './whole-template.ts';

const usage = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 };
const message = { role: 'assistant', content: 'Hello.', tool_calls: [], refusal: null };
const choice = { index: 0, message, logprobs: null, finish_reason: 'stop', stop_reason: null };
const answer = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'a-model',
  choices: [choice],
  usage,
};

const saying = (content: unknown) => ({
  ...answer,
  choices: [{ ...choice, message: { ...message, content } }],
});
const choosing = (changes: object) => ({ ...answer, choices: [{ ...choice, ...changes }] });
const bytesOf = (body: unknown) => Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));

/** What a body is read as: its events, or why it is none. */
function readBy(wholes: WholeTemplate, body: Buffer, stop: readonly string[] = []): unknown {
  const takeCallId = (given: string | undefined) => given ?? 'made';
  const reader = new ChunkReader({ stop, takeCallId, redact: String, shapes: new ShapeMemory(), wholes });
  try {
    const events = reader.readWhole(body);
    const { usage: told, chunkCount, startsWithUsage } = reader;
    return { events, told, chunkCount, startsWithUsage };
  } catch (error) {
    return String(error);
  }
}

/** A template that has seen one answer, and that of another end. */
function learned(): WholeTemplate {
  const wholes = new WholeTemplate();
  readBy(wholes, bytesOf(answer));
  readBy(wholes, bytesOf(choosing({ finish_reason: 'length' })));
  return wholes;
}

/** Reads as one does who never learns. */
function afresh(body: Buffer, stop?: readonly string[]): unknown {
  const wholes = new WholeTemplate();
  wholes.learn = () => {};
  return readBy(wholes, body, stop);
}

describe('an answer that differs only in its id, time, text and numbers', () => {
  it.each([
    answer,
    { ...answer, id: 'chatcmpl-0123.4:5-6', created: 0, usage: { ...usage, prompt_tokens: 987_654 } },
    choosing({ finish_reason: 'length' }),
    saying(''),
    saying('a "quoted" line\nand \\ another\t\u0001'),
    saying('größer, 日本語, 😀, \u007f\u0085'),
    saying('","tool_calls":[],"refusal":null},"logprobs":null'),
    saying('"content":"x"'),
  ])('is read without parsing it, as a parser would: %j', (body) => {
    const wholes = learned();
    expect(wholes.read(bytesOf(body))).toBeDefined();
    expect(readBy(wholes, bytesOf(body))).toEqual(afresh(bytesOf(body)));
    expect(readBy(wholes, bytesOf(body), ['lo'])).toEqual(afresh(bytesOf(body), ['lo']));
  });

  it('has any text', () => {
    const wholes = learned();
    const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.string());
    fc.assert(
      fc.property(texts, (text) => {
        expect(readBy(wholes, bytesOf(saying(text)))).toEqual(afresh(bytesOf(saying(text))));
      }),
    );
  });

  it('may be the first to be in another language', () => {
    const wholes = new WholeTemplate();
    readBy(wholes, bytesOf(saying('größer')));
    expect(wholes.read(bytesOf(saying('größer als groß')))?.text).toBe('größer als groß');
  });
});

const text = JSON.stringify(answer);
const others: Readonly<Record<string, unknown>> = {
  'calls a tool': choosing({
    message: { ...message, tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] },
  }),
  'has said nothing': saying(null),
  'has two choices': { ...answer, choices: [choice, { ...choice, index: 1 }] },
  'is of another choice': choosing({ index: 1 }),
  'has thought': choosing({ message: { ...message, reasoning_content: 'hm' } }),
  'has a member more': text.replace('"refusal"', '"refusal":"no","refusal"'),
  'has a text after the text': text.replace('"Hello."', '"Hello.","audio":"x"'),
  'has an error': { ...answer, error: { message: 'no', code: 503 } },
  'tells no usage': { ...answer, usage: null },
  'has a number that is none': text.replace(':12,', ':012,'),
  'has a negative number': text.replace(':12,', ':-12,'),
  'has a fraction': text.replace(':12,', ':1.2,'),
  'has a number that is too large': text.replace(':12,', ':12345678901234567890,'),
  'has an id with an escape': text.replace('chatcmpl-1', 'chat\\u0020'),
  'has a control character in its text': text.replace('Hello.', 'Hel\nlo.'),
  'has an escape that is none': text.replace('Hello.', 'Hel\\x'),
  'is cut off': text.slice(0, -1),
  'goes on': `${text} `,
  'goes on with more': `${text}{}`,
  'is no answer': [],
};

describe('an answer that differs in more', () => {
  it.each(Object.entries(others))('is parsed, and judged by the parser: one that %s', (_name, body) => {
    expect(learned().read(bytesOf(body))).toBeUndefined();
    expect(readBy(learned(), bytesOf(body))).toEqual(afresh(bytesOf(body)));
  });

  it('is none or the same, whatever bytes were changed', () => {
    const wholes = learned();
    const places = fc.nat(text.length - 1);
    const bytes = fc.oneof(fc.nat(255), fc.constantFrom(...Buffer.from('"\\,:{}[]0n')));
    fc.assert(
      fc.property(fc.array(fc.tuple(places, bytes), { minLength: 1, maxLength: 4 }), (changes) => {
        const body = bytesOf(answer);
        for (const [at, byte] of changes) body[at] = byte;
        expect(readBy(wholes, body)).toEqual(afresh(body));
        expect(readBy(new WholeTemplate(), body)).toEqual(afresh(body));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('what is learned from', () => {
  it.each([
    ['an answer that does more than say', others['calls a tool']],
    ['one whose members of the same names stand elsewhere', { ...answer, id: 7, request: { id: 'x' } }],
    ['one without a usage', others['tells no usage']],
  ])('is not %s', (_name, body) => {
    const wholes = new WholeTemplate();
    readBy(wholes, bytesOf(body));
    expect(wholes.read(bytesOf(body))).toBeUndefined();
  });

  it('is still a plain answer after many that call tools', () => {
    const wholes = new WholeTemplate();
    for (let turn = 0; turn < 30; turn++) readBy(wholes, bytesOf(others['calls a tool']));
    readBy(wholes, bytesOf(answer));
    expect(wholes.read(bytesOf(answer))).toBeDefined();
  });

  it('is not every answer of a server that never repeats itself', () => {
    const wholes = new WholeTemplate();
    for (let turn = 0; turn < 30; turn++)
      readBy(wholes, bytesOf({ ...answer, system_fingerprint: `${turn}` }));
    readBy(wholes, bytesOf(answer));
    expect(wholes.read(bytesOf(answer))).toBeUndefined();
  });
});
