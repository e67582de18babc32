import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { messagesCorpus } from '../../../../testing/text/messages-corpus.ts';
import { Fault } from '../../../faults/fault.ts';
import type { Conversation, Turn } from '../../conversation.ts';
import { messagesReplySchema } from './messages-reply.ts';
import { messagesCountSchema, messagesRequestSchema } from './messages-request-schema.ts';
import { messagesWire, openCount } from './messages-wire.ts';

const context = { models: ['served'], answerId: 'answer', created: 0 };
const seed = 20_250;
const corpus = messagesCorpus().map(({ body }) => ({ model: 'm', ...body }));

function open(body: unknown): Conversation {
  return messagesWire.open(body, context).conversation;
}

/** The refusal of a body; `undefined` when it is accepted. */
function refusal(parse: () => unknown): Fault | undefined {
  try {
    parse();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
}

const knownTypes = [
  'text',
  'image',
  'document',
  'search_result',
  'tool_use',
  'tool_result',
  'tool_reference',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
];

/** A block with the members of all types, each right, wrong or missing. */
function blocks(): fc.Arbitrary<object> {
  const ids = fc.constantFrom('a', 'b', 'c');
  const sources = fc.record(
    {
      type: fc.oneof(fc.constantFrom('base64', 'url', 'text', 'content', 'file'), fc.jsonValue()),
      media_type: fc.oneof(fc.constant('image/png'), fc.jsonValue()),
      // Text that is not base64 is refused where bytes are expected.
      data: fc.oneof(
        fc.constant('aGk='),
        fc.jsonValue().filter((value) => typeof value !== 'string'),
      ),
      content: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  return fc.record(
    {
      type: fc.oneof(fc.constantFrom(...knownTypes), fc.string(), fc.jsonValue()),
      id: fc.oneof(ids, fc.jsonValue()),
      tool_use_id: fc.oneof(ids, fc.jsonValue()),
      name: fc.oneof(fc.string(), fc.jsonValue()),
      input: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()),
      text: fc.oneof(fc.string(), fc.jsonValue()),
      content: fc.oneof(
        fc.string(),
        fc.array(fc.record({ type: fc.constantFrom(...knownTypes) })),
        fc.jsonValue(),
      ),
      source: fc.oneof(sources, fc.jsonValue()),
      title: fc.jsonValue(),
      tool_name: fc.jsonValue(),
      is_error: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
}

function messageLists(): fc.Arbitrary<readonly object[]> {
  const message = fc.record({
    role: fc.constantFrom('user', 'assistant', 'system'),
    content: fc.oneof(fc.string(), fc.array(blocks(), { maxLength: 5 })),
  });
  return fc.array(message, { minLength: 1, maxLength: 8 });
}

/** Messages of one conversation with tools, in any order: calls without results, results without calls, duplicates. */
function toolTalks(): fc.Arbitrary<readonly object[]> {
  const id = fc.constantFrom('a', 'b', 'c');
  const call = id.map((value) => ({ type: 'tool_use', id: value, name: 'look', input: {} }));
  const result = id.map((value) => ({ type: 'tool_result', tool_use_id: value, content: 'seen' }));
  const text = fc.constant({ type: 'text', text: 'words' });
  const message = fc.oneof(
    fc.record({ role: fc.constant('assistant'), content: fc.array(fc.oneof(call, text), { maxLength: 4 }) }),
    fc.record({ role: fc.constant('user'), content: fc.array(fc.oneof(result, text), { maxLength: 4 }) }),
    fc.record({ role: fc.constant('system'), content: fc.constant('reminder') }),
  );
  return fc.array(message, { minLength: 1, maxLength: 10 });
}

/** Bodies of the corpus with one value, at any depth, replaced by another. */
function brokenBodies(): fc.Arbitrary<unknown> {
  return fc
    .record({ body: fc.constantFrom(...corpus), place: fc.nat(), value: fc.jsonValue() })
    .map(({ body, place, value }) => {
      const places = paths(body);
      return replaced(body, places[place % places.length] ?? [], value);
    });
}

type Path = readonly (string | number)[];

function paths(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [path, ...keys.flatMap((key) => paths(Reflect.get(value, key), [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: Path, by: unknown): unknown {
  if (key === undefined || typeof value !== 'object' || value === null) return by;
  const copy: object = Array.isArray(value) ? [...value] : { ...value };
  Reflect.set(copy, key, replaced(Reflect.get(value, key), rest, by));
  return copy;
}

function expectSoundTurns(turns: readonly Turn[]): void {
  expect(turns.length).toBeGreaterThan(0);
  let open = new Set<string>();
  turns.forEach((turn, index) => {
    const before = turns[index - 1];
    if (turn.role === 'assistant') open = new Set(turn.toolCalls.map(({ id }) => id));
    if (turn.role === 'user') open = new Set();
    if (turn.role === 'tool') expect(open.delete(turn.callId)).toBe(true);
    else expect(before?.role).not.toBe(turn.role);
  });
}

describe('random bodies', () => {
  it('are accepted with any blocks, and every result follows its call', () => {
    fc.assert(
      fc.property(messageLists(), (messages) => {
        expectSoundTurns(open({ model: 'm', messages }).turns);
      }),
      { seed, numRuns: 150 },
    );
  });

  it('give results only to the calls just before them', () => {
    fc.assert(
      fc.property(toolTalks(), (messages) => {
        expectSoundTurns(open({ model: 'm', messages }).turns);
      }),
      { seed, numRuns: 150 },
    );
  });

  it('are accepted with a block of an unknown type at any position', () => {
    const unknown = { type: 'of_tomorrow_20991231', payload: [1, { deep: true }] };
    for (const body of corpus) {
      const content = paths(body).filter((path) =>
        ['content', 'system', 'tools'].includes(String(path.at(-2))),
      );
      for (const path of content) expect(refusal(() => open(replaced(body, path, unknown)))).toBeUndefined();
      expect(refusal(() => open({ ...body, of_tomorrow: unknown }))).toBeUndefined();
    }
  });

  it('are accepted or refused with a 400 that names a field, never anything else', () => {
    let refused = 0;
    fc.assert(
      fc.property(brokenBodies(), (body) => {
        const fault = refusal(() => open(body));
        if (fault === undefined) return;
        refused += 1;
        expect(fault).toMatchObject({ status: 400, code: 'invalid-request' });
        expect(fault.message).toMatch(
          /^(The body|`[\w.[\]]+`) (must be .+, got .+|is missing; it must be .+)\.$/,
        );
      }),
      { seed, numRuns: 700 },
    );
    expect(refused).toBeGreaterThan(20);
  });

  it('are at worst a 400 if they are any JSON', () => {
    const member = fc.oneof(fc.jsonValue(), messageLists());
    const names = fc.constantFrom(
      'model',
      'messages',
      'system',
      'tools',
      'tool_choice',
      'stream',
      'max_tokens',
    );
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(names, member)), (body) => {
        expect(refusal(() => open(body))?.status ?? 400).toBe(400);
        expect(refusal(() => openCount(body))?.status ?? 400).toBe(400);
      }),
      { seed, numRuns: 150 },
    );
  });
});

describe('the schemas', () => {
  it('convert to JSON Schema', () => {
    const request = z.toJSONSchema(messagesRequestSchema);
    expect(request).toMatchObject({ type: 'object', required: ['model', 'messages'] });
    expect(JSON.stringify(request.properties?.max_tokens)).toContain('"type":["integer","null"]');
    expect(z.toJSONSchema(messagesCountSchema)).toMatchObject({ required: ['messages'] });
    expect(z.toJSONSchema(messagesReplySchema).required).toContain('usage');
  });
});
