import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openChat } from '../../../../testing/text/chat-requests.ts';
import { blockEvents, eventLists, scriptedBlocks } from '../../../../testing/text/event-lists.ts';
import { Fault } from '../../../faults/fault.ts';
import type { Block, FinishReason, TextEvent } from '../../text-event.ts';

const start: TextEvent = { type: 'start', promptTokens: undefined };
const finish = (reason: FinishReason): TextEvent => ({
  type: 'finish',
  reason,
  stopSequence: undefined,
  usage: { promptTokens: 7, completionTokens: 5 },
});
const block = (opened: Block, ...deltas: string[]): readonly TextEvent[] =>
  blockEvents({ block: opened, deltas });
const call = (id: string, name: string): Block => ({ type: 'tool-call', id, name });

function stream(events: readonly TextEvent[], { includeUsage = false } = {}): string {
  const writer = openChat({ stream: true, stream_options: { include_usage: includeUsage } }).writer();
  return events.map((event) => writer.write(event)).join('');
}

const HEAD =
  '{"id":"chatcmpl-abc","object":"chat.completion.chunk","created":1800000000,"model":"fox","choices":';

/** The bytes of a stream, with `…` for the common start of all chunks. */
function golden(...lines: readonly string[]): string {
  return lines.map((line) => `${line.replace('…', HEAD)}\n\n`).join('');
}

describe('golden streams', () => {
  test('text, with usage', () => {
    const events = [start, ...block({ type: 'text' }, 'Hel', 'lo "fox"\n'), finish('stop')];
    expect(stream(events, { includeUsage: true })).toBe(
      golden(
        'data: …[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}',
        'data: …[{"index":0,"delta":{"content":"Hel"},"finish_reason":null}]}',
        'data: …[{"index":0,"delta":{"content":"lo \\"fox\\"\\n"},"finish_reason":null}]}',
        'data: …[{"index":0,"delta":{},"finish_reason":"stop"}]}',
        'data: …[],"usage":{"prompt_tokens":7,"completion_tokens":5,"total_tokens":12}}',
        'data: [DONE]',
      ),
    );
  });

  test('reasoning, text and two tool calls, one of them without arguments', () => {
    const events = [
      start,
      ...block({ type: 'reasoning' }, 'Hm.'),
      ...block({ type: 'text' }, 'Wait.'),
      ...block(call('call_a', 'look'), '{"at"', ':1}'),
      ...block(call('call_b', 'now')),
      finish('tool-calls'),
    ];
    expect(stream(events)).toBe(
      golden(
        'data: …[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}',
        'data: …[{"index":0,"delta":{"reasoning_content":"Hm."},"finish_reason":null}]}',
        'data: …[{"index":0,"delta":{"content":"Wait."},"finish_reason":null}]}',
        'data: …[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"call_a","type":"function","function":{"name":"look","arguments":""}}]},"finish_reason":null}]}',
        'data: …[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\\"at\\""}}]},"finish_reason":null}]}',
        'data: …[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":":1}"}}]},"finish_reason":null}]}',
        'data: …[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_b","type":"function","function":{"name":"now","arguments":""}}]},"finish_reason":null}]}',
        'data: …[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{}"}}]},"finish_reason":null}]}',
        'data: …[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}',
        'data: [DONE]',
      ),
    );
  });

  test('an answer without any block', () => {
    expect(stream([start, finish('length')])).toBe(
      golden(
        'data: …[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}',
        'data: …[{"index":0,"delta":{},"finish_reason":"length"}]}',
        'data: [DONE]',
      ),
    );
  });
});

describe('a failure', () => {
  const fault = new Fault('engine-failed', 'The model server broke off.');

  test('is an error chunk, without [DONE]', () => {
    expect(openChat().writer().fail(fault, 'req')).toBe(
      'data: {"error":{"message":"The model server broke off.","type":"upstream_error","param":null,"code":"upstream_error"}}\n\n',
    );
  });

  test('can be an HTTP error until the first block', () => {
    const writer = openChat().writer();
    expect(writer.write(start)).toBe('');
    expect(writer.write({ type: 'block-start', block: { type: 'text' } })).not.toBe('');
  });
});

test('a ping is a comment at any point, and changes nothing', () => {
  const writer = openChat().writer();
  const events = [start, ...block({ type: 'text' }, 'a'), finish('stop')];
  const written = events.map((event) => {
    expect(writer.ping()).toBe(': ping\n\n');
    return writer.write(event);
  });
  expect(written.join('')).toBe(stream(events));
});

test('two streams of one request are independent', () => {
  const exchange = openChat();
  const [one, other] = [exchange.writer(), exchange.writer()];
  const open: TextEvent = { type: 'block-start', block: call('a', 'b') };
  expect(one.write(open)).toBe(other.write(open));
});

interface Fragment {
  readonly index: number;
  readonly id?: string;
  readonly type?: string;
  readonly function: { readonly name?: string; readonly arguments: string };
}
interface Delta {
  readonly role?: string;
  readonly content?: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly Fragment[];
}
interface Chunk {
  readonly id: string;
  readonly model: string;
  readonly choices: readonly { readonly delta: Delta; readonly finish_reason: string | null }[];
  readonly usage?: object;
}

function chunksOf(bytes: string): readonly Chunk[] {
  const events = bytes.split('\n\n');
  expect(events.slice(-2)).toEqual(['data: [DONE]', '']);
  return events.slice(0, -2).map((event) => {
    expect(event).toMatch(/^data: [^\r\n]*$/);
    return JSON.parse(event.slice('data: '.length));
  });
}

/** Joins the fragments like a client: calls by index, where the first fragment names the call. */
function assembled(deltas: readonly Delta[]): readonly object[] {
  const calls: { id: string | undefined; name: string | undefined; arguments: string }[] = [];
  for (const { index, id, type, function: called } of deltas.flatMap((delta) => delta.tool_calls ?? [])) {
    const known = calls[index];
    expect(type).toBe(known === undefined ? 'function' : undefined);
    expect(typeof id).toBe(known === undefined ? 'string' : 'undefined');
    if (known === undefined) {
      expect(index).toBe(calls.length);
      calls.push({ id, name: called.name, arguments: called.arguments });
    } else {
      expect(Object.keys(called)).toEqual(['arguments']);
      known.arguments += called.arguments;
    }
  }
  return calls;
}

describe('any legal list of events makes a legal stream', () => {
  const textOf = (events: readonly TextEvent[], type: Block['type']): string =>
    scriptedBlocks(events)
      .filter((scripted) => scripted.block.type === type)
      .flatMap(({ deltas }) => deltas)
      .join('');

  test('one role chunk first, one finish reason, usage as asked, the same head everywhere', () => {
    fc.assert(
      fc.property(eventLists(), fc.boolean(), (events, includeUsage) => {
        const chunks = chunksOf(stream(events, { includeUsage }));
        expect(new Set(chunks.map(({ id, model }) => `${id} ${model}`)).size).toBe(1);
        expect(chunks[0]?.choices[0]?.delta).toEqual({ role: 'assistant', content: '' });
        expect(chunks.filter(({ choices }) => choices[0]?.delta.role !== undefined)).toHaveLength(1);
        const usage = chunks.filter((chunk) => chunk.usage !== undefined);
        expect(usage).toEqual(includeUsage ? [chunks.at(-1)] : []);
        expect(chunks.filter(({ choices }) => choices.length !== 1)).toEqual(usage);
        const lastChoice = chunks.at(includeUsage ? -2 : -1)?.choices[0];
        expect(lastChoice?.delta).toEqual({});
        const finished = chunks.filter(({ choices: [choice] }) => (choice?.finish_reason ?? null) !== null);
        expect(finished.map(({ choices }) => choices[0])).toEqual([lastChoice]);
      }),
    );
  });

  test('the deltas add up to the blocks', () => {
    fc.assert(
      fc.property(eventLists(), (events) => {
        const deltas = chunksOf(stream(events)).flatMap(({ choices }) => choices.map(({ delta }) => delta));
        expect(deltas.map(({ content }) => content ?? '').join('')).toBe(textOf(events, 'text'));
        const reasoning = deltas.map((delta) => delta.reasoning_content ?? '').join('');
        expect(reasoning).toBe(textOf(events, 'reasoning'));
        const expected = scriptedBlocks(events).flatMap(({ block: opened, deltas: pieces }) =>
          opened.type === 'tool-call'
            ? [{ id: opened.id, name: opened.name, arguments: pieces.join('') || '{}' }]
            : [],
        );
        expect(assembled(deltas)).toEqual(expected);
      }),
    );
  });
});
