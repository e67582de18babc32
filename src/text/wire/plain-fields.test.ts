import { describe, expect, it } from 'vitest';
import { Fault } from '../../faults/fault.ts';
import type { TextWire } from '../text-wire.ts';
import { chatWire } from './chat/chat-wire.ts';
import { scanChatBody } from './chat/scan-chat-body.ts';
import { messagesWire } from './messages/messages-wire.ts';
import { scanMessagesBody } from './messages/scan-messages-body.ts';
import { readResponse } from './responses/read-response.ts';

const context = { models: ['m'], answerId: 'a', created: 1 };
const fields: Readonly<Record<string, readonly unknown[]>> = {
  model: ['m', '', 1, null],
  stream: [true, false, null, 'true', 1],
  max_tokens: [1, 8000, -1, 0.5, 1e300, null, '1'],
  max_completion_tokens: [9000, 0.5, null, 'x'],
  temperature: [0, 2, 2.01, -0.01, null, '1'],
  top_p: [1, 0.1, 0, 1.01, null, 'x'],
  stream_options: [{ include_usage: true }, { include_usage: 1 }, { other: 1 }, {}, [], null, 'x'],
  system: ['Be brief.', '', null, 1, [], [{ type: 'text', text: 'x' }]],
  user: ['me'],
};
const wires = [
  { wire: chatWire, scan: scanChatBody },
  { wire: messagesWire, scan: scanMessagesBody },
];

function outcome(wire: TextWire, body: unknown): unknown {
  try {
    const { conversation, streaming, countFirst } = wire.open(body, context);
    const { system, sampling, output, toolChoice } = conversation;
    return { system, sampling, output, toolChoice, streaming, countFirst };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}

describe.each(wires)('a field of $wire.family.name', ({ wire, scan }) => {
  const cases = Object.entries(fields).flatMap(([name, values]) => values.map((value) => [name, value]));
  it.each(cases)('%s: %j is accepted or refused as by its schema', (name, value) => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], [String(name)]: value };
    const scanned = scan(Buffer.from(JSON.stringify(body)));
    expect(scanned).toBeDefined();
    expect(outcome(wire, scanned)).toEqual(outcome(wire, body));
  });
});

const responseFields: Readonly<Record<string, readonly unknown[]>> = {
  model: ['m', '', 1, null],
  stream: fields.stream ?? [],
  temperature: fields.temperature ?? [],
  top_p: fields.top_p ?? [],
  input: ['Hi', '', [], [1], [{ role: 'user', content: 'Hi' }], null, 1, {}],
  instructions: ['Be brief.', '', null, 1, []],
  max_output_tokens: [1, 8000, -1, 0.5, 1e300, null, '1'],
  parallel_tool_calls: [true, false, null, 'true'],
  previous_response_id: ['resp_1', '', null, 1],
  store: [true, false, null, 1],
  tools: [[], [{ type: 'function', name: 'look' }], null, {}, 'x'],
  user: ['me', 1],
};

describe('a field of a response', () => {
  const cases = Object.entries(responseFields).flatMap(([name, values]) =>
    values.map((value) => [name, value]),
  );
  it.each(cases)('%s: %j is accepted or refused as by its schema', (name, value) => {
    const body = { model: 'm', input: 'Hi', [String(name)]: value };
    // A member without a plain rule, so that the schema is asked.
    const { truncation: _, ...bySchema } = readOutcome({ ...body, truncation: 'disabled' });
    expect(readOutcome(body)).toEqual(bySchema);
  });

  it('is missing in a body without a model', () => {
    expect(readOutcome({ input: 'Hi' })).toEqual({ refusal: expect.stringContaining('`model` is missing') });
  });
});

function readOutcome(body: unknown): Readonly<Record<string, unknown>> {
  try {
    return readResponse(body).fields;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { refusal: error.message };
  }
}
