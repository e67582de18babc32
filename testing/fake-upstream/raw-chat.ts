import { expect } from 'vitest';
import type { FakeUpstream, ReplyPlan } from './fake-upstream.mjs';
import { exchangeRaw, parseRaw, type RawExchange, type RawResponse } from './raw-exchange.ts';

export const CHAT = '/v1/chat/completions';

/** A conversation for tests that do not care. */
export const messages = [{ role: 'user', content: 'Say hello.' }];

/** A streamed chunk as the fake sends it. */
export interface Chunk {
  readonly id: string;
  readonly choices: readonly {
    readonly delta: Readonly<Record<string, unknown>> & {
      readonly tool_calls?: readonly ToolFragment[] | null;
    };
    readonly finish_reason: string | null;
    readonly stop_reason?: unknown;
  }[];
  readonly usage?: unknown;
}

/** A part of a tool call. */
interface ToolFragment {
  readonly index: number;
  readonly id?: string | null;
  readonly function: { readonly name?: string | null; readonly arguments: string };
}

/** The data of every event of a body. */
export function eventsOf(body: Buffer): readonly string[] {
  const text = body.toString();
  expect(text.endsWith('\n\n')).toBe(true);
  return text
    .slice(0, -2)
    .split('\n\n')
    .map((event) => event.replace(/^data: /, ''));
}

/** Streams a chat under a plan. */
export async function streamChat(
  upstream: FakeUpstream,
  plan: ReplyPlan,
  extra: object = {},
): Promise<{ readonly chunks: readonly Chunk[]; readonly last: string }> {
  upstream.respond(plan);
  const response = await sendWhole(upstream, CHAT, { messages, stream: true, ...extra });
  expect(response).toMatchObject({ status: 200, isWhole: true });
  const events = eventsOf(response.body);
  const chunks: readonly Chunk[] = events
    .filter((event) => event !== '[DONE]')
    .map((event) => JSON.parse(event));
  return { chunks, last: events.at(-1) ?? '' };
}

/** The deltas of all choices. */
export const deltasOf = (chunks: readonly Chunk[]): readonly Chunk['choices'][number]['delta'][] =>
  chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));

/** Sends a request and returns its exchange. */
export function send(upstream: FakeUpstream, path: string, body?: unknown): RawExchange {
  return exchangeRaw(upstream.url, { path, body });
}

/** Sends a request whose answer ends cleanly. */
export async function sendWhole(upstream: FakeUpstream, path: string, body?: unknown): Promise<RawResponse> {
  const exchange = send(upstream, path, body);
  expect(await exchange.ended).toBe('end');
  return parseRaw(exchange.received());
}

/** Sends a request with a JSON answer. */
export async function sendForJson(upstream: FakeUpstream, path: string, body?: unknown): Promise<unknown> {
  const response = await sendWhole(upstream, path, body);
  expect(response).toMatchObject({ status: 200, isWhole: true });
  return JSON.parse(response.body.toString());
}
