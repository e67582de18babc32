// A tenant who sends a little of everything at a steady pace, whether or not answers come. Latency is counted from when a
// request was due, so that a stall shows in all requests that fell into it.
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { textPdf } from '../soak/text-pdf.mjs';
import { ask, formRequest, jsonRequest } from './ask.mjs';

const REQUEST_BOUND_MS = 30_000;
const READY_BOUND_MS = 120_000;
const READY_EVERY_MS = 200;
/** Kinds start staggered, so that they are not all due at once. */
const STAGGER_MS = 130;
const STOPS = ['.', ',', '!', '\n'];
const schema = { type: 'object', properties: { total: { type: ['string', 'null'] } }, required: ['total'] };
const hello = [{ role: 'user', content: 'Say hello.' }];

/** Interval per kind. Embedded engines share the cores with everything else. */
const EVERY_MS = {
  upstream: { chat: 200, messages: 200, 'schema check': 500, pdf: 1_000, extraction: 1_000, image: 2_000 },
  embedded: {
    chat: 2_000,
    messages: 2_000,
    'schema check': 500,
    pdf: 1_500,
    extraction: 3_000,
    image: 6_000,
  },
};

export const QUIET_KINDS = Object.keys(EVERY_MS.upstream);

/** Opens the tenant; `model` is the name used in chats. */
export async function openQuietTenant({ url, key, model, engines }) {
  const agent = new Agent({ keepAlive: true });
  const requests = await requestsOf(key, model);
  const send = async (kind) => {
    const { isWhole, ...request } = requests[kind];
    const { status, end } = await ask(url, { ...request, agent, timeoutMs: REQUEST_BOUND_MS });
    return status === 200 && isWhole?.(end) === false ? 0 : status;
  };
  return {
    untilServed: () => untilServed(send),
    run: (durationMs) => run(send, EVERY_MS[engines], durationMs),
    close: () => agent.destroy(),
  };
}

async function requestsOf(key, model) {
  const form = {
    schema: JSON.stringify(schema),
    user: '[[say {"total": "12.00"}]]',
    file: ['a.pdf', textPdf('Invoice 7. Total: 12.00')],
  };
  const messages = { model, max_tokens: 100, stream: true, messages: hello, stop_sequences: STOPS };
  return {
    chat: jsonRequest('/v1/chat/completions', { model, messages: hello, stop: STOPS }, key),
    // A stream has its status before it can fail.
    messages: {
      ...jsonRequest('/v1/messages', messages, key),
      isWhole: (end) => end.includes('message_stop'),
    },
    'schema check': jsonRequest('/v1/schemas/check', { schema }, key),
    pdf: jsonRequest('/v1/documents/generate', { html: '<h1>Invoice</h1><p>Total: 12.00</p>' }, key),
    extraction: await formRequest('/v1/documents/extract', form, key),
    image: jsonRequest('/v1/images/generations', { prompt: 'a fox', seed: 7 }, key),
  };
}

/** Waits until every kind is served: engines are up, processes started. */
async function untilServed(send) {
  const endsAtMs = performance.now() + READY_BOUND_MS;
  for (const kind of QUIET_KINDS) {
    for (let status = await send(kind); status !== 200; status = await send(kind)) {
      if (performance.now() > endsAtMs) throw new Error(`${kind} is not served: ${status}`);
      await sleep(READY_EVERY_MS);
    }
  }
}

/** Statuses and latencies per kind. Ends with the last answer. */
async function run(send, everyMs, durationMs) {
  const startMs = performance.now();
  const kinds = QUIET_KINDS.map(async (kind, place) => {
    const firstMs = startMs + place * STAGGER_MS;
    const under = [];
    for (let dueMs = firstMs; dueMs < startMs + durationMs; dueMs += everyMs[kind]) {
      await sleep(Math.max(0, dueMs - performance.now()));
      under.push(send(kind).then((status) => ({ status, ms: performance.now() - dueMs })));
    }
    return [kind, await Promise.all(under)];
  });
  return Object.fromEntries(await Promise.all(kinds));
}
