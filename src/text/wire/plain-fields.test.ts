import { describe, expect, it } from 'vitest';
import { Fault } from '../../faults/fault.ts';
import type { TextWire } from '../text-wire.ts';
import { chatWire } from './chat/chat-wire.ts';
import { scanChatBody } from './chat/scan-chat-body.ts';
import { messagesWire } from './messages/messages-wire.ts';
import { scanMessagesBody } from './messages/scan-messages-body.ts';

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
