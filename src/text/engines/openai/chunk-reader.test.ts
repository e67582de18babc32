import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../testing/fuzz/any-character.ts';
import { disorderOf } from '../../../../testing/text/engine-events.ts';
import { Fault } from '../../../faults/fault.ts';
import type { TextEvent } from '../../text-event.ts';
import { ChunkReader } from './chunk-reader.ts';

const reader = (stop: readonly string[] = []): ChunkReader => {
  let made = 0;
  return new ChunkReader({
    stop,
    takeCallId: (given) => given ?? `made_${++made}`,
    redact: (text) => text.replaceAll('sk-secret', '[secret]'),
  });
};
const sse = (...chunks: readonly unknown[]): string =>
  chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`).join('');
const delta = (said: object, finish: string | null = null, more: object = {}) => ({
  choices: [{ index: 0, delta: said, finish_reason: finish, ...more }],
});
const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
const done = [delta({}, 'stop'), { choices: [], usage }, '[DONE]'];

function read(bytes: Buffer | string, { stop, cuts = [] }: { stop?: string[]; cuts?: number[] } = {}) {
  const made = reader(stop);
  const whole = Buffer.from(bytes);
  const ends = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].sort((a, b) => a - b);
  const events: TextEvent[] = [];
  let from = 0;
  for (const end of [...ends, whole.length]) {
    // The bytes of a read are overwritten by the next one.
    const piece = Buffer.from(whole.subarray(from, end));
    events.push(...made.feed(piece));
    piece.fill(0);
    from = end;
  }
  return [...events, ...(made.isFinished ? [] : made.end())];
}

const told = (...tokens: readonly string[]) => ({
  logprobs: { content: tokens.map((token) => ({ token, logprob: -0.5, bytes: [...Buffer.from(token)] })) },
});

/** A short form to compare: blocks with their whole text, and the finish. */
function summary(events: readonly TextEvent[]): readonly string[] {
  const lines: string[] = [];
  for (const event of events) {
    if (event.type === 'block-start') {
      lines.push(
        event.block.type === 'tool-call' ? `${event.block.name}#${event.block.id}:` : `${event.block.type}:`,
      );
    } else if (event.type === 'block-delta') lines.push(`${lines.pop()}${event.text}`);
    else if (event.type === 'finish') {
      const { promptTokens, completionTokens } = event.usage;
      const stopped = event.stopSequence === undefined ? '' : ` at ${event.stopSequence}`;
      lines.push(`${event.reason}${stopped} ${promptTokens}+${completionTokens}`);
    }
  }
  return lines;
}

const call = (
  index: number | undefined,
  given: { id?: string | null; name?: string | null; text?: string | null },
) => ({
  tool_calls: [
    {
      ...(index === undefined ? {} : { index }),
      ...(given.id === undefined ? {} : { id: given.id, type: 'function' }),
      function: {
        ...(given.name === undefined ? {} : { name: given.name }),
        ...(given.text === undefined ? {} : { arguments: given.text }),
      },
    },
  ],
});

const quirks: Readonly<
  Record<string, { readonly stream: string; readonly stop?: string[]; readonly says: readonly string[] }>
> = {
  'a plain answer': {
    stream: sse(
      delta({ role: 'assistant', content: '' }),
      delta({ content: 'Hel' }),
      delta({ content: 'lo' }),
      ...done,
    ),
    says: ['text:Hello', 'stop 7+3'],
  },
  'an empty answer': { stream: sse(...done), says: ['stop 7+3'] },
  'CRLF, comments, foreign fields and no space after the colon': {
    stream: `: ping\r\n\r\nevent: x\r\nid: 4\r\ndata:${JSON.stringify(delta({ content: 'a' }))}\r\n\r\n:\r\n\r\n${sse(...done).replaceAll('\n', '\r\n')}`,
    says: ['text:a', 'stop 7+3'],
  },
  'data of several lines': {
    stream: `data: {"choices":\ndata: [{"index":0,"delta":{"content":"a"}}]}\n\n${sse(...done)}`,
    says: ['text:a', 'stop 7+3'],
  },
  'a missing [DONE] and no empty line at the end': {
    stream: `data: ${JSON.stringify(delta({ content: 'a' }, 'stop'))}`,
    says: ['text:a', 'stop 0+0'],
  },
  'a finish merged with text': {
    stream: sse(delta({ content: 'a' }), delta({ content: 'b' }, 'length')),
    says: ['text:ab', 'length 0+0'],
  },
  'null fragments': {
    stream: sse(
      delta({ role: null, content: null, reasoning_content: null, tool_calls: null }),
      delta({ content: 'a', tool_calls: null, function_call: null }),
      { choices: null, usage: null, error: null },
      ...done,
    ),
    says: ['text:a', 'stop 7+3'],
  },
  'usage in every chunk': {
    stream: sse(
      { ...delta({ content: 'a' }), usage: { prompt_tokens: 7, completion_tokens: 1 } },
      { ...delta({}, 'stop'), usage: { prompt_tokens: 7, completion_tokens: 2 } },
    ),
    says: ['text:a', 'stop 7+2'],
  },
  'reasoning under either name, and types that change': {
    stream: sse(
      delta({ reasoning_content: 'hm' }),
      delta({ reasoning: ' hm' }),
      delta({ content: 'a' }),
      delta({ reasoning: 'oh' }),
      delta({ content: 'b' }),
      ...done,
    ),
    says: ['reasoning:hm hm', 'text:a', 'reasoning:oh', 'text:b', 'stop 7+3'],
  },
  'a stop reason in words': {
    stream: sse(delta({ content: 'a' }), delta({}, 'stop', { stop_reason: 'END' })),
    says: ['text:a', 'stop at END 0+0'],
  },
  'a stop reason in numbers': { stream: sse(delta({}, 'stop', { stop_reason: 2 })), says: ['stop 0+0'] },
  'an unknown finish reason': { stream: sse(delta({}, 'eos')), says: ['stop 0+0'] },
  'a filtered answer': {
    stream: sse(delta({ content: 'a' }, 'content_filter')),
    says: ['text:a', 'refusal 0+0'],
  },
  'another choice': {
    stream: sse({ choices: [{ index: 1, delta: { content: 'other' } }] }, delta({ content: 'a' }), ...done),
    says: ['text:a', 'stop 7+3'],
  },
  'text after [DONE]': { stream: sse(...done, 'what?'), says: ['stop 7+3'] },
  'calls one after the other': {
    stream: sse(
      delta({ content: 'Look:' }),
      delta(call(0, { id: 'a', name: 'look', text: '' })),
      delta(call(0, { text: '{"x"' })),
      delta(call(0, { text: ':1}' })),
      delta(call(1, { id: 'b', name: 'peek', text: '{}' })),
      delta({}, 'tool_calls'),
    ),
    says: ['text:Look:', 'look#a:{"x":1}', 'peek#b:{}', 'tool-calls 0+0'],
  },
  'calls in turns': {
    stream: sse(
      delta(call(0, { id: 'a', name: 'look', text: '' })),
      delta(call(1, { id: 'b', name: 'peek', text: '{"y' })),
      delta(call(0, { text: '{"x":' })),
      delta(call(1, { text: '":2}' })),
      delta(call(0, { text: '1}' })),
      delta({}, 'tool_calls'),
    ),
    says: ['look#a:{"x":1}', 'peek#b:{"y":2}', 'tool-calls 0+0'],
  },
  'text in the midst of a call': {
    stream: sse(
      delta(call(0, { id: 'a', name: 'look', text: '{"x"' })),
      delta({ content: 'so' }),
      delta(call(0, { text: ':1}' })),
      delta({ content: ' what' }),
      delta({}, 'stop'),
    ),
    says: ['look#a:{"x":1}', 'text:so what', 'tool-calls 0+0'],
  },
  'calls without an id, with null members, and stop as their reason': {
    stream: sse(
      delta(call(0, { id: null, name: 'look', text: null })),
      delta(call(0, { id: null, name: null, text: '{}' })),
      delta({}, 'stop'),
    ),
    says: ['look#made_1:{}', 'tool-calls 0+0'],
  },
  'calls that all have the index 0': {
    stream: sse(
      delta(call(0, { id: 'a', name: 'look', text: '{}' })),
      delta(call(0, { id: 'b', name: 'look', text: '{}' })),
      delta({}, 'tool_calls'),
    ),
    says: ['look#a:{}', 'look#b:{}', 'tool-calls 0+0'],
  },
  'calls without an index': {
    stream: sse(
      delta(call(undefined, { id: 'a', name: 'look', text: '{' })),
      delta(call(undefined, { text: '}' })),
      delta(call(undefined, { name: 'peek', text: '{}' })),
      delta({}, 'tool_calls'),
    ),
    says: ['look#a:{}', 'peek#made_1:{}', 'tool-calls 0+0'],
  },
  'calls without arguments': {
    stream: sse(
      delta(call(0, { id: 'a', name: 'look', text: '' })),
      delta(call(1, { id: 'b', name: 'peek', text: '{}' })),
      delta({}, 'tool_calls'),
    ),
    says: ['look#a:', 'peek#b:{}', 'tool-calls 0+0'],
  },
  'a call in the old form': {
    stream: sse(
      delta({ function_call: { name: 'look', arguments: '' } }),
      delta({ function_call: { arguments: '{}' } }),
      delta({}, 'function_call'),
    ),
    says: ['look#made_1:{}', 'tool-calls 0+0'],
  },
  'a call that the limit cut': {
    stream: sse(delta(call(0, { id: 'a', name: 'look', text: '{"x' })), delta({}, 'length')),
    says: ['look#a:{"x', 'length 0+0'],
  },
  'the reason tool_calls without a call': {
    stream: sse(delta({ content: 'a' }, 'tool_calls')),
    says: ['text:a', 'stop 0+0'],
  },
  'a stop sequence across chunks': {
    stream: sse(
      delta({ content: 'one E' }),
      delta({ content: 'N' }),
      delta({ content: 'D two' }),
      delta(call(0, { id: 'a', name: 'x', text: '{}' })),
      ...done,
    ),
    stop: ['END'],
    says: ['text:one ', 'stop at END 7+3'],
  },
  'the start of a stop sequence before a call': {
    stream: sse(
      delta({ content: 'one EN' }),
      delta(call(0, { id: 'a', name: 'x', text: '{}' })),
      delta({}, 'tool_calls'),
    ),
    stop: ['END'],
    says: ['text:one EN', 'x#a:{}', 'tool-calls 0+0'],
  },
};

const garbage: Readonly<Record<string, string>> = {
  nothing: '',
  'no events': '<<< no events here >>>\n\n{}\r\r:::\n',
  'no finish reason': sse(delta({ content: 'a' })),
  'no finish reason but [DONE]': sse(delta({ content: 'a' }), { choices: [], usage }, '[DONE]'),
  'broken JSON': sse(delta({ content: 'a' }), '{"choices": [oops', ...done),
  'a half event at the end': `${sse(delta({ content: 'a' }, 'stop'))}data: {"choi`,
  'JSON that is no chunk': sse('3', ...done),
  'choices that are no list': sse({ choices: 'a' }, ...done),
  'a delta that is no object': sse({ choices: [{ delta: 'a' }] }, ...done),
  'a call without a name': sse(delta(call(0, { id: 'a', text: '{}' })), ...done),
  'arguments after their end': sse(
    delta(call(0, { id: 'a', name: 'x', text: '{}' })),
    delta({ content: 'a' }),
    delta(call(0, { text: '{}' })),
    ...done,
  ),
  'an error': sse(delta({ content: 'a' }), { error: { message: 'the key sk-secret is bad', code: 500 } }),
  'an event over the bound': sse(delta({ content: 'a'.repeat(1_100_000) }), ...done),
  'a line without end': `data: ${'a'.repeat(1_100_000)}`,
  'too many blocks': sse(
    ...Array.from({ length: 600 }, (_, index) => delta(index % 2 ? { content: 'a' } : { reasoning: 'b' })),
    ...done,
  ),
};

describe('the chunk reader', () => {
  for (const [what, { stream, stop, says }] of Object.entries(quirks)) {
    it(`reads ${what}, wherever its bytes are split`, () => {
      const events = read(stream, stop ? { stop } : {});
      expect(summary(events)).toEqual(says);
      expect(disorderOf(events)).toBeUndefined();
      const bytewise = read(stream, {
        ...(stop ? { stop } : {}),
        cuts: Array.from(Buffer.from(stream), (_, at) => at),
      });
      expect(bytewise).toEqual(events);
    });
  }

  for (const [what, stream] of Object.entries(garbage)) {
    it(`fails on ${what}`, () => {
      const failure = faultOf(() => read(stream));
      expect(failure.code).toBe('engine-failed');
      expect(failure.message).not.toContain('bad');
      expect(String(failure.cause)).not.toContain('sk-secret');
    });
  }

  it('recognises an error that means overload', () => {
    expect(faultOf(() => read(sse({ error: { message: 'x', code: 503 } }))).code).toBe('engine-overloaded');
  });

  it('streams the first of several calls at once, and later ones as soon as they may begin', () => {
    const made = reader();
    const feed = (chunk: object) =>
      made
        .feed(Buffer.from(sse(chunk)))
        .map((event) => (event.type === 'block-delta' ? event.text : event.type));
    expect(feed(delta(call(0, { id: 'a', name: 'look', text: '{"x"' })))).toEqual(['block-start', '{"x"']);
    expect(feed(delta(call(1, { id: 'b', name: 'peek', text: '{"y"' })))).toEqual([]);
    expect(feed(delta(call(0, { text: ':1}' })))).toEqual([':1}', 'block-end', 'block-start', '{"y"']);
    expect(feed(delta(call(1, { text: ':2}' })))).toEqual([':2}']);
    expect(feed(delta(call(2, { id: 'c', name: 'z', text: '{' })))).toEqual([
      'block-end',
      'block-start',
      '{',
    ]);
  });

  it('reads a whole answer of a server that does not stream', () => {
    const message = {
      role: 'assistant',
      content: 'Hi END there',
      reasoning_content: 'hm',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'x', arguments: '{}' } },
        { function: { name: 'y', arguments: { z: 1 } } },
      ],
    };
    const whole = (answer: object, stop: string[] = []) =>
      summary(reader(stop).readWhole(Buffer.from(JSON.stringify(answer))));
    expect(whole({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage })).toEqual([
      'reasoning:hm',
      'text:Hi END there',
      'x#a:{}',
      'y#made_1:{"z":1}',
      'tool-calls 7+3',
    ]);
    expect(whole({ choices: [{ message, finish_reason: 'stop' }] }, ['END'])).toEqual([
      'reasoning:hm',
      'text:Hi ',
      'stop at END 0+0',
    ]);
    expect(faultOf(() => whole({ choices: [{ message, finish_reason: null }] })).code).toBe('engine-failed');
    expect(faultOf(() => reader().readWhole(Buffer.from('{'))).code).toBe('engine-failed');
  });

  it('gives the same events however the bytes are split, even if they are not UTF-8', () => {
    const texts = fc.array(
      fc.oneof(
        fc.string({ unit: anyCharacter }),
        fc.string({ unit: fc.constantFrom('a', 'E', 'N', 'D', '🙂') }),
      ),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(texts, fc.array(fc.nat(), { maxLength: 12 }), fc.boolean(), (pieces, cuts, isCrlf) => {
        const text = sse(...pieces.map((content) => delta({ content })), ...done);
        const stream = isCrlf ? text.replaceAll('\n', '\r\n') : text;
        const bytes = Buffer.from(stream);
        const options = { stop: ['END', 'NN'] };
        const events = read(bytes, { ...options, cuts });
        expect(events).toEqual(read(bytes, options));
        expect(disorderOf(events)).toBeUndefined();
      }),
    );
    const broken = Buffer.concat([
      Buffer.from(': \u{1f642}\n\ndata: {"choices":[{"delta":{"content":"'),
      Buffer.from([0xff, 0xc3, 0xf0, 0x9f]),
      Buffer.from(`"}}]}\n\n${sse(...done)}`),
    ]);
    for (let cut = 0; cut < broken.length; cut += 1)
      expect(read(broken, { cuts: [cut] })).toEqual(read(broken));
  });

  it('puts fragments of any interleaving in order without losing any', () => {
    const lanes = fc.array(
      fc.record({
        kind: fc.constantFrom('tool', 'text', 'reasoning'),
        value: fc.string(),
        cut: fc.integer({ min: 1, max: 5 }),
      }),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(lanes, fc.infiniteStream(fc.nat()), (given, picks) => {
        const queues = given.map(({ kind, value, cut }, index) => fragmentsOf(kind, value, cut, index));
        const chunks: object[] = [];
        while (queues.some((queue) => queue.length > 0)) {
          const open = queues.filter((queue) => queue.length > 0);
          const next = open[(picks.next().value ?? 0) % open.length]?.shift();
          if (next !== undefined) chunks.push(delta(next));
        }
        const events = read(sse(...chunks, ...done));
        expect(disorderOf(events)).toBeUndefined();
        const says = summary(events);
        for (const [index, { kind, value }] of given.entries()) {
          if (kind === 'tool') expect(says).toContain(`t${index}#id${index}:${JSON.stringify({ value })}`);
        }
        for (const type of ['text', 'reasoning']) {
          const all = says
            .filter((line) => line.startsWith(`${type}:`))
            .map((line) => line.slice(type.length + 1))
            .join('');
          const sent = chunks.map((chunk) => saidIn(chunk, type)).join('');
          expect(all).toBe(sent);
        }
      }),
    );
  });
});

function fragmentsOf(kind: string, value: string, cut: number, index: number): object[] {
  const text = kind === 'tool' ? JSON.stringify({ value }) : value;
  const pieces = Array.from({ length: Math.ceil(text.length / cut) }, (_, at) =>
    text.slice(at * cut, (at + 1) * cut),
  );
  if (kind === 'text') return pieces.map((content) => ({ content }));
  if (kind === 'reasoning') return pieces.map((reasoning) => ({ reasoning }));
  return [
    call(index, { id: `id${index}`, name: `t${index}`, text: '' }),
    ...pieces.map((piece) => call(index, { text: piece })),
  ];
}

function saidIn(chunk: object, type: string): string {
  const { choices } = JSON.parse(JSON.stringify(chunk));
  return choices[0].delta[type === 'text' ? 'content' : type] ?? '';
}

function faultOf(run: () => unknown): Fault {
  try {
    run();
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('the probabilities of tokens', () => {
  it('come with the finish, for every token, also where chunks are equal', () => {
    const same = delta({ content: 'a' }, null, told('a'));
    const events = read(sse(same, same, same, same, delta({ content: 'bc' }, null, told('b', 'c')), ...done));
    const finish = events.at(-1);
    const tokens = finish?.type === 'finish' ? finish.tokens : undefined;
    expect(tokens?.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([...'aaaabc']);
    expect(tokens?.every(({ logProbability }) => logProbability === -0.5)).toBe(true);
    expect(summary(events)[0]).toBe('text:aaaabc');
  });

  it('are absent where the server tells none', () => {
    expect(read(sse(delta({ content: 'a' }, null, { logprobs: null }), ...done)).at(-1)).not.toHaveProperty(
      'tokens',
    );
  });
});
