import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectReply } from '../../../../testing/text/engine-answers.ts';
import { eventLists, scriptedBlocks } from '../../../../testing/text/event-lists.ts';
import { Fault } from '../../../faults/fault.ts';
import type { TextEvent } from '../../text-event.ts';
import type { StreamWriter } from '../../text-wire.ts';
import { messagesReplySchema } from './messages-reply.ts';
import { messagesWire } from './messages-wire.ts';

const seed = 20_250;
const context = { models: ['served', 'alias'], answerId: '01', created: 0 };
const body = { model: 'any', messages: [{ role: 'user', content: 'hi' }], stream: true };
const exchange = messagesWire.open(body, context);

function streamOf(events: readonly TextEvent[], writer: StreamWriter = exchange.writer()): string {
  return events.map((event) => writer.write(event)).join('');
}

async function replyTo(events: readonly TextEvent[]): Promise<unknown> {
  async function* once(): AsyncGenerator<readonly TextEvent[]> {
    yield events;
  }
  return JSON.parse(exchange.reply(await collectReply(once())));
}

const answered: readonly TextEvent[] = [
  { type: 'start', promptTokens: 12 },
  { type: 'block-start', block: { type: 'reasoning' } },
  { type: 'block-delta', text: 'Look "there".' },
  { type: 'block-end' },
  { type: 'block-start', block: { type: 'text' } },
  { type: 'block-delta', text: 'Line\n' },
  { type: 'block-delta', text: 'two 🦊' },
  { type: 'block-end' },
  { type: 'block-start', block: { type: 'tool-call', id: 'call_1', name: 'look' } },
  { type: 'block-delta', text: '{"at":' },
  { type: 'block-delta', text: '"x"}' },
  { type: 'block-end' },
  { type: 'block-start', block: { type: 'tool-call', id: 'call_2', name: 'wait' } },
  { type: 'block-end' },
  {
    type: 'finish',
    reason: 'tool-calls',
    stopSequence: undefined,
    usage: { promptTokens: 12, completionTokens: 34 },
  },
];

const answeredStream = `event: message_start
data: {"type":"message_start","message":{"id":"msg_01","type":"message","role":"assistant","model":"served","content":[],"stop_reason":null,"stop_sequence":null,"usage":{"input_tokens":12,"output_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Look \\"there\\"."}}

event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":""}}

event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: content_block_start
data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Line\\n"}}

event: content_block_delta
data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"two 🦊"}}

event: content_block_stop
data: {"type":"content_block_stop","index":1}

event: content_block_start
data: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"call_1","name":"look","input":{}}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\\"at\\":"}}

event: content_block_delta
data: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"\\"x\\"}"}}

event: content_block_stop
data: {"type":"content_block_stop","index":2}

event: content_block_start
data: {"type":"content_block_start","index":3,"content_block":{"type":"tool_use","id":"call_2","name":"wait","input":{}}}

event: content_block_stop
data: {"type":"content_block_stop","index":3}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{"input_tokens":12,"output_tokens":34,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}}

event: message_stop
data: {"type":"message_stop"}

`;

const usage = { promptTokens: 3, completionTokens: 2 };
const usageFields = {
  input_tokens: 3,
  output_tokens: 2,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};
const start: TextEvent = { type: 'start', promptTokens: 3 };
const said: readonly TextEvent[] = [
  { type: 'block-start', block: { type: 'text' } },
  { type: 'block-delta', text: 'hi' },
  { type: 'block-end' },
];

describe('the stream of an answer', () => {
  it('has exactly these bytes', () => {
    expect(streamOf(answered)).toBe(answeredStream);
  });

  it('is a complete message when the answer is empty', () => {
    const finish: TextEvent = { type: 'finish', reason: 'stop', stopSequence: undefined, usage };
    const names = parsed(streamOf([start, finish])).map(({ type }) => type);
    expect(names).toEqual(['message_start', 'message_delta', 'message_stop']);
  });

  it('opens at the start and is kept alive by ping events', () => {
    const writer = exchange.writer();
    expect(writer.ping()).toBe('event: ping\ndata: {"type":"ping"}\n\n');
  });

  it.each([
    [new Fault('engine-failed', 'It broke off.'), 'api_error'],
    [new Fault('engine-timeout', 'It took too long.'), 'api_error'],
    [new Fault('engine-refused', 'It refused.'), 'api_error'],
    [new Fault('internal', 'A bug.'), 'api_error'],
    [new Fault('engine-overloaded', 'Too much to do.'), 'overloaded_error'],
  ])('ends with an error event on failure: %s', (fault, type) => {
    const writer = exchange.writer();
    const cut = streamOf([start, ...said.slice(0, 2)], writer) + writer.fail(fault, 'request-1');
    const error = JSON.stringify({
      type: 'error',
      error: { type, message: fault.message },
      request_id: 'request-1',
    });
    expect(cut.endsWith(`\n\nevent: error\ndata: ${error}\n\n`)).toBe(true);
    expect(cut).not.toContain('message_stop');
  });

  it('is legal for any legal list of events', () => {
    fc.assert(
      fc.property(eventLists(), (events) => {
        const stream = parsed(streamOf(events));
        expectGrammar(stream);
        expect(streamedTexts(stream)).toEqual(scriptedBlocks(events).map(({ deltas }) => deltas.join('')));
      }),
      { seed, numRuns: 150 },
    );
  });

  it('has the same content as the whole answer', async () => {
    await fc.assert(
      fc.asyncProperty(eventLists(), async (events) => {
        const reply = messagesReplySchema.strict().parse(await replyTo(events));
        const ending = parsed(streamOf(events)).find(({ type }) => type === 'message_delta');
        expect(ending).toMatchObject({
          delta: { stop_reason: reply.stop_reason, stop_sequence: reply.stop_sequence },
          usage: reply.usage,
        });
      }),
      { seed, numRuns: 100 },
    );
  });
});

describe('a whole answer', () => {
  it('has its blocks in order', async () => {
    expect(await replyTo(answered)).toEqual({
      id: 'msg_01',
      type: 'message',
      role: 'assistant',
      model: 'served',
      content: [
        { type: 'thinking', thinking: 'Look "there".', signature: '' },
        { type: 'text', text: 'Line\ntwo 🦊' },
        { type: 'tool_use', id: 'call_1', name: 'look', input: { at: 'x' } },
        { type: 'tool_use', id: 'call_2', name: 'wait', input: {} },
      ],
      stop_reason: 'tool_use',
      stop_sequence: null,
      usage: {
        input_tokens: 12,
        output_tokens: 34,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    });
  });

  it.each([
    ['stop', undefined, 'end_turn', null],
    ['stop', 'END', 'stop_sequence', 'END'],
    ['length', undefined, 'max_tokens', null],
    ['length', 'END', 'max_tokens', null],
    ['refusal', undefined, 'refusal', null],
    ['tool-calls', undefined, 'tool_use', null],
  ] as const)('that ended by %s (%s) says %s', async (reason, stopSequence, stop_reason, stop_sequence) => {
    const reply = await replyTo([start, { type: 'finish', reason, stopSequence, usage }]);
    expect(reply).toMatchObject({ content: [], stop_reason, stop_sequence, usage: usageFields });
  });

  it('has the stop reason tool_use if there is a call, for every finish reason', async () => {
    const call: readonly TextEvent[] = [
      { type: 'block-start', block: { type: 'tool-call', id: 'c', name: 'look' } },
      { type: 'block-end' },
    ];
    const finish: TextEvent = { type: 'finish', reason: 'stop', stopSequence: undefined, usage };
    expect(await replyTo([start, ...said, ...call, finish])).toMatchObject({ stop_reason: 'tool_use' });
  });

  it.each([
    ['', {}],
    [' \n', {}],
    ['{"a":[1]}', { a: [1] }],
    ['{"a":', { _raw: '{"a":' }],
    ['[1]', { _raw: '[1]' }],
    ['null', { _raw: 'null' }],
  ])('has an object for the arguments %j', (text, input) => {
    const block = { type: 'tool-call', id: 'c', name: 'look' } as const;
    const reply = {
      blocks: [{ block, text }],
      reason: 'tool-calls',
      stopSequence: undefined,
      usage,
    } as const;
    expect(JSON.parse(exchange.reply(reply))).toMatchObject({ content: [{ type: 'tool_use', input }] });
  });
});

interface StreamedEvent {
  readonly type: string;
  readonly index?: number;
  readonly content_block?: { readonly type: string };
  readonly delta?: Readonly<Record<string, string>>;
  readonly message?: { readonly usage: object };
  readonly usage?: object;
}

function parsed(stream: string): readonly StreamedEvent[] {
  expect(stream.endsWith('\n\n')).toBe(true);
  return stream
    .slice(0, -2)
    .split('\n\n')
    .map((frame) => {
      const [, name, data] = /^event: (\w+)\ndata: ([^\r\n]*)$/.exec(frame) ?? [];
      const event: StreamedEvent = JSON.parse(data ?? '');
      // Called for thousands of frames, and `expect` is slow.
      if (event.type !== name) expect(event.type).toBe(name);
      return event;
    });
}

const deltaTypes: Readonly<Record<string, readonly string[]>> = {
  text: ['text_delta'],
  thinking: ['thinking_delta', 'signature_delta'],
  tool_use: ['input_json_delta'],
};

function expectGrammar(stream: readonly StreamedEvent[]): void {
  const [first, ...rest] = stream;
  const blocks = rest.slice(0, -2);
  expect(first?.type).toBe('message_start');
  expect(Object.keys(first?.message?.usage ?? {})).toEqual(Object.keys(usageFields));
  expect(rest.slice(-2).map(({ type }) => type)).toEqual(['message_delta', 'message_stop']);
  expect(Object.keys(rest.at(-2)?.usage ?? {})).toEqual(Object.keys(usageFields));
  let index = -1;
  let open: string | undefined;
  for (const event of blocks) {
    if (event.type === 'content_block_start') {
      expect(open).toBeUndefined();
      open = event.content_block?.type;
      index += 1;
    } else if (event.type === 'content_block_delta') {
      expect(deltaTypes[open ?? '']).toContain(event.delta?.type);
    } else {
      expect(event.type).toBe('content_block_stop');
      expect(open).toBeDefined();
      open = undefined;
    }
    expect(event.index).toBe(index);
  }
  expect(open).toBeUndefined();
}

function streamedTexts(stream: readonly StreamedEvent[]): readonly string[] {
  const texts: string[] = [];
  for (const { type, index = 0, delta } of stream) {
    if (type === 'content_block_start') texts.push('');
    if (type !== 'content_block_delta') continue;
    texts[index] += delta?.text ?? delta?.thinking ?? delta?.partial_json ?? '';
  }
  return texts;
}
