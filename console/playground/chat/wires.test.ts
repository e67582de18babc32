import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readState, writeState } from '../../state/url-state.ts';
import { CHAT_STATE, formOf } from './chat-state.ts';
import { chatWire } from './chat-wire.ts';
import { messagesWire } from './messages-wire.ts';
import { responsesWire } from './responses-wire.ts';
import { areTurns, type ChatForm, NO_ANSWER, type Turn, type Wire } from './turn.ts';

const WIRES: readonly (readonly [string, Wire])[] = [
  ['chat', chatWire],
  ['messages', messagesWire],
  ['responses', responsesWire],
];

const name = fc.stringMatching(/^[a-z_]{1,12}$/);
const call = fc.record({
  id: name,
  name,
  arguments: fc.dictionary(name, fc.oneof(fc.string(), fc.boolean())).map((value) => JSON.stringify(value)),
});
const turn: fc.Arbitrary<Turn> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), text: fc.string() }),
  fc.record({ role: fc.constant('assistant' as const), text: fc.string() }),
  fc.record({
    role: fc.constant('assistant' as const),
    text: fc.string(),
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ role: fc.constant('tool' as const), call: name, text: fc.string() }),
);
const schema = fc.constantFrom(
  { type: 'object', properties: { city: { type: 'string' } } },
  { type: 'object' },
);
const forms: fc.Arbitrary<ChatForm> = fc.record({
  model: name,
  system: fc.string(),
  turns: fc.array(turn, { maxLength: 6 }),
  temperature: fc.option(fc.constantFrom(0, 0.7, 2)),
  // 8000 is what the messages wire must send where nothing was chosen.
  maxTokens: fc.option(fc.integer({ min: 8001, max: 16000 })),
  stream: fc.boolean(),
  tools: fc.array(
    fc.oneof(
      fc.record({ name, parameters: schema }),
      fc.record({ name, description: fc.string(), parameters: schema }),
    ),
    { maxLength: 2 },
  ),
  schema: fc.option(schema, { nil: undefined }),
  sources: fc.boolean(),
});

describe.each(WIRES)('the %s wire', (_name, wire) => {
  it('gives back every form from its request, as it is sent', () => {
    fc.assert(
      fc.property(forms, (form) => {
        const sent: unknown = JSON.parse(JSON.stringify(wire.request(form)));
        expect(wire.form(sent)).toEqual(form);
      }),
      { numRuns: 150 },
    );
  });
});

function answerOf(wire: Wire, events: readonly (readonly [string, unknown])[]) {
  return events.reduce((answer, [event, data]) => wire.event(answer, event, data), NO_ANSWER);
}

const CALL = { id: 'call_1', name: 'weather', arguments: '{"city":"Oslo"}' };
const EXPECTED = {
  text: 'Let me see.',
  thinking: '',
  calls: [CALL],
  inputTokens: 12,
  outputTokens: 9,
  problem: null,
  sources: null,
};

describe('a streamed answer with a call', () => {
  it('is read from chunks', () => {
    const delta = (value: object, finish: string | null = null) =>
      ['message', { choices: [{ delta: value, finish_reason: finish }] }] as const;
    const answer = answerOf(chatWire, [
      delta({ role: 'assistant', content: 'Let me ' }),
      delta({ content: 'see.' }),
      delta({
        tool_calls: [{ index: 0, id: 'call_1', function: { name: 'weather', arguments: '{"city"' } }],
      }),
      delta({ tool_calls: [{ index: 0, function: { arguments: ':"Oslo"}' } }] }),
      delta({}, 'tool_calls'),
      ['message', { choices: [], usage: { prompt_tokens: 12, completion_tokens: 9 } }],
    ]);
    expect(answer).toEqual({ ...EXPECTED, finish: 'tool_calls' });
  });

  it('is read from blocks', () => {
    const event = (data: { type: string } & Record<string, unknown>) => [data.type, data] as const;
    const answer = answerOf(messagesWire, [
      event({ type: 'message_start', message: { usage: { input_tokens: 12, output_tokens: 0 } } }),
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Let me see.' } }),
      event({
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'call_1', name: 'weather', input: {} },
      }),
      event({
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: '{"city":' },
      }),
      event({ type: 'ping' }),
      event({
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: '"Oslo"}' },
      }),
      event({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } }),
      event({ type: 'message_stop' }),
    ]);
    expect(answer).toEqual({ ...EXPECTED, finish: 'tool_use' });
  });

  it('is read from items', () => {
    const answer = answerOf(responsesWire, [
      ['response.output_text.delta', { delta: 'Let me see.' }],
      ['response.output_item.added', { item: { type: 'function_call', call_id: 'call_1', name: 'weather' } }],
      ['response.function_call_arguments.delta', { delta: '{"city":"Oslo"}' }],
      [
        'response.completed',
        { response: { status: 'completed', usage: { input_tokens: 12, output_tokens: 9 } } },
      ],
    ]);
    expect(answer).toEqual({ ...EXPECTED, finish: 'completed' });
  });

  it('tells of a failure in the middle', () => {
    expect(answerOf(chatWire, [['message', { error: { message: 'cut' } }]]).problem).toBe('cut');
    expect(answerOf(messagesWire, [['error', { type: 'error', error: { message: 'cut' } }]]).problem).toBe(
      'cut',
    );
    expect(
      answerOf(responsesWire, [
        ['response.failed', { response: { status: 'failed', error: { message: 'cut' } } }],
      ]).problem,
    ).toBe('cut');
  });
});

const SENT = {
  document_id: 'doc_1',
  document: 'handbook.pdf',
  page: 3,
  score: 0.536,
  text: 'We open at nine on weekdays.',
};
const PAGELESS = { ...SENT, document: 'notes.md', page: null };

describe('the sources of an answer', () => {
  const knowledge = [SENT, PAGELESS];
  const chatEnd = (more: object) =>
    ['message', { choices: [{ delta: {}, finish_reason: 'stop' }], ...more }] as const;
  const messagesEnd = (more: object) =>
    ['message_delta', { type: 'message_delta', delta: { stop_reason: 'end_turn' }, ...more }] as const;
  const responsesEnd = (more: object) =>
    ['response.completed', { response: { status: 'completed', output: [], ...more } }] as const;
  const ENDS = [
    ['chat', chatWire, chatEnd],
    ['messages', messagesWire, messagesEnd],
    ['responses', responsesWire, responsesEnd],
  ] as const;

  it.each(ENDS)('are read from the end of a stream and from a whole answer: %s', (_name, wire, end) => {
    expect(answerOf(wire, [end({ knowledge })]).sources).toEqual(knowledge);
    expect(wire.whole({ knowledge }).sources).toEqual(knowledge);
  });

  it.each(ENDS)('are none where the list is empty, and unknown without a list: %s', (_name, wire, end) => {
    expect(answerOf(wire, [end({ knowledge: [] })]).sources).toEqual([]);
    expect(answerOf(wire, [end({})]).sources).toBeNull();
    expect(wire.whole({ knowledge: 'much' }).sources).toBeNull();
  });

  it('stay when the usage follows them', () => {
    const usage = ['message', { choices: [], usage: { prompt_tokens: 12 } }] as const;
    expect(answerOf(chatWire, [chatEnd({ knowledge }), usage]).sources).toEqual(knowledge);
  });

  it.each(WIRES)('are asked for in one member, and never sent back: %s', (_name, wire) => {
    const turns: readonly Turn[] = [
      { role: 'user', text: 'When do you open?' },
      { role: 'assistant', text: 'At nine.', sources: knowledge },
      { role: 'user', text: 'Always?' },
    ];
    const form = formOf(readState(CHAT_STATE, ''), 'm', turns);
    const sent = wire.request(form);
    expect(sent.include).toEqual(['knowledge']);
    expect(JSON.stringify(sent)).not.toContain(SENT.text);
    expect(wire.request({ ...form, sources: false })).not.toHaveProperty('include');
  });

  it('are not part of the address', () => {
    const turns: readonly Turn[] = [{ role: 'assistant', text: 'At nine.', sources: knowledge }];
    const written = writeState(CHAT_STATE, { ...readState(CHAT_STATE, ''), turns, sources: false });
    expect(readState(CHAT_STATE, written)).toMatchObject({
      turns: [{ role: 'assistant', text: 'At nine.' }],
      sources: false,
    });
    expect(written).not.toContain('handbook');
  });
});

it('takes only conversations from the address', () => {
  expect(
    areTurns([
      { role: 'user', text: 'Hi' },
      { role: 'assistant', text: '', calls: [CALL] },
      { role: 'tool', call: 'call_1', text: '{}' },
    ]),
  ).toBe(true);
  for (const wrong of [
    {},
    [{ role: 'system', text: 'x' }],
    [{ role: 'tool', text: 'x' }],
    [{ role: 'assistant', text: '', calls: [{ id: 1 }] }],
    [{ role: 'assistant', text: '', sources: [1] }],
  ]) {
    expect(areTurns(wrong)).toBe(false);
  }
});
