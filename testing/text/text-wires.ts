import { expect } from 'vitest';
import { streamData, streamEvents } from './stream-events.ts';
import type { CallAnswer, TextCall } from './text-call.ts';
import type { TextGateway } from './text-gateway.ts';

type Fields = Readonly<Record<string, unknown>>;

/** One of the formats as a client sees it. */
export interface ClientWire {
  readonly name: 'chat' | 'messages';
  ask(gateway: TextGateway, fields?: Fields): TextCall;
  /** The text of an answer, streamed or not; checks that it is complete. */
  textOf(answer: CallAnswer): string;
  /** Whether a stream contains a text so far. */
  hasSaid(received: string, text: string): boolean;
  /** An error, as an HTTP body or as the last event of a stream. */
  error(type: string): object;
  /** Checks that a stream failed after its start, and returns its error. */
  failureOf(answer: CallAnswer): object;
}

const chat: ClientWire = {
  name: 'chat',
  ask: (gateway, fields) => gateway.chat(fields),
  textOf({ headers, body }) {
    if (headers['content-type'] === 'application/json') return JSON.parse(body).choices[0].message.content;
    expect(streamEvents(body).at(-1)).toEqual({ data: '[DONE]' });
    const choices = streamData(body).flatMap((chunk) => chunk.choices as Fields[]);
    expect(choices.at(-1)).toMatchObject({ finish_reason: expect.any(String) });
    return choices.map(({ delta }) => (delta as Fields).content ?? '').join('');
  },
  hasSaid: (received, text) => received.includes(`"content":${JSON.stringify(text)}`),
  error: (type) => ({
    error: {
      message: expect.any(String),
      type,
      param: null,
      code: expect.toBeOneOf([expect.any(String), null]),
    },
  }),
  failureOf({ body }) {
    expect(body).not.toContain('[DONE]');
    expect(body).not.toMatch(/"finish_reason":"/);
    return streamData(body).at(-1) ?? {};
  },
};

const messages: ClientWire = {
  name: 'messages',
  ask: (gateway, fields) => gateway.messages(fields),
  textOf({ headers, body }) {
    if (headers['content-type'] === 'application/json') return textOfBlocks(JSON.parse(body).content);
    const events = streamEvents(body);
    expect(events.at(0)?.name).toBe('message_start');
    expect(events.slice(-2).map(({ name }) => name)).toEqual(['message_delta', 'message_stop']);
    for (const { name, data } of events) expect(JSON.parse(data).type).toBe(name);
    return streamData(body)
      .map(({ delta }) => (delta as Fields | undefined)?.text ?? '')
      .join('');
  },
  hasSaid: (received, text) => received.includes(`"text":${JSON.stringify(text)}`),
  error: (type) => ({
    type: 'error',
    error: { type, message: expect.any(String) },
    request_id: expect.stringMatching(/^req_[0-9a-f]{24}$/),
  }),
  failureOf({ body }) {
    expect(body).not.toContain('message_stop');
    expect(body).not.toContain('message_delta');
    expect(streamEvents(body).at(-1)?.name).toBe('error');
    return streamData(body).at(-1) ?? {};
  },
};

export const clientWires: readonly ClientWire[] = [chat, messages];

function textOfBlocks(blocks: readonly Fields[]): string {
  return blocks
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('');
}
