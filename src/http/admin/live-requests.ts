import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Operator } from '../../access/operator.ts';
import { type Answer, type Delivery, jsonAnswer } from '../answer.ts';
import { wholeNumberIn } from '../query-values.ts';
import { type LiveRequest, RING_CAPACITY } from '../request-ring.ts';
import { jsonReply, type OperatorRequest } from '../route.ts';
import { StreamDelivery } from '../stream-delivery.ts';
import { seenStack } from './admin-rights.ts';
import { type AdminRoute, reading } from './admin-route.ts';
import type { AdminSources } from './admin-sources.ts';
import { tenths } from './usage-sums.ts';

const DEFAULT_LIMIT = 200;
/** Under load, events go out together: a write per request would cost more than the requests. */
const PAUSE_MS = 100;

const requestSchema = z.object({
  sequence: z.int().describe('Counts the requests of the process.'),
  id: z.string(),
  at: z.iso.datetime().describe('When it ended.'),
  stack: z.string().nullable().describe('null: it had no valid key.'),
  key: z.string().nullable(),
  endpoint: z.string(),
  model: z.string().nullable(),
  status: z.int().describe('499: its client left.'),
  error_code: z.string().nullable(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  first_token_ms: z.number().nullable().describe('Of streamed text.'),
  duration_ms: z.number(),
  streamed: z.boolean(),
});

/** `GET /requests`: the last requests of this process, whole or as they end. */
export function liveRequestsRoute(sources: AdminSources): AdminRoute {
  return {
    ...reading,
    path: '/requests',
    summary: 'The last requests',
    detail: `The last requests of the process that answers, newest first, without anything of their content; it remembers ${RING_CAPACITY}. With \`Accept: text/event-stream\` those that end from now on, as events \`request\`; with \`Last-Event-ID\` also those since that one. A stream ends after a minute; clients ask again.`,
    query: [
      { name: 'limit', meaning: `How many, 1 to ${RING_CAPACITY}; ${DEFAULT_LIMIT} when absent.` },
      { name: 'stack', meaning: 'Only requests of this stack.' },
      { name: 'key', meaning: 'Only requests of keys of this id.' },
    ],
    answer: {
      ...jsonReply('AdminRequestList', z.object({ replica: z.string(), data: z.array(requestSchema) })),
      streams: true,
    },
    faults: ['invalid-request', 'admin-object-not-found'],
    handle: (request) => answerRequests(sources, request),
  };
}

function answerRequests(sources: AdminSources, request: OperatorRequest): Answer | Delivery {
  const { query, operator } = request;
  const isMeant = filterOf(operator, query);
  if (request.header('accept')?.includes('text/event-stream') === true) {
    const after = lastEventOf(request.header('last-event-id'), sources.ring.last);
    return new StreamDelivery((signal) => events(sources, { after, isMeant, signal }), sources.watch);
  }
  const limit = wholeNumberIn(query, 'limit', { from: 1, to: RING_CAPACITY }) ?? DEFAULT_LIMIT;
  const meant = sources.ring.after(0).filter(isMeant).slice(-limit).toReversed();
  return jsonAnswer({ replica: sources.replica.name, data: meant.map(requestObject) });
}

interface Watching {
  readonly after: number;
  readonly isMeant: (request: LiveRequest) => boolean;
  readonly signal: AbortSignal;
}

async function* events(
  { ring, drainGate, replica, watch }: AdminSources,
  { after, isMeant, signal }: Watching,
): AsyncGenerator<string> {
  const ending = AbortSignal.any([signal, drainGate.closing, AbortSignal.timeout(watch.times.followedMs)]);
  // Sent at once, so that the page knows that it is connected and to whom.
  yield `event: replica\ndata: ${JSON.stringify({ replica: replica.name })}\n\n`;
  for (let last = after; !ending.aborted; ) {
    await ring.whenAfter(last, ending);
    const piece = ring.after(last).filter(isMeant).map(eventText).join('');
    last = ring.last;
    if (piece !== '') yield piece;
    await pause(PAUSE_MS, undefined, { signal: ending }).catch(() => {});
  }
}

function eventText(request: LiveRequest): string {
  return `id: ${request.sequence}\nevent: request\ndata: ${JSON.stringify(requestObject(request))}\n\n`;
}

/** A number of another process, or from before a restart, is later than any here. */
function lastEventOf(header: string | undefined, last: number): number {
  const sequence = header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : last;
  return Math.min(sequence, last);
}

function filterOf(operator: Operator, query: URLSearchParams): (request: LiveRequest) => boolean {
  const stack = seenStack(operator, query);
  const key = query.get('key') ?? undefined;
  return (request) =>
    (stack === undefined || request.stack === stack) && (key === undefined || request.key === key);
}

function requestObject(request: LiveRequest): z.infer<typeof requestSchema> {
  return {
    sequence: request.sequence,
    id: request.id,
    at: new Date(request.atMs).toISOString(),
    stack: request.stack ?? null,
    key: request.key ?? null,
    endpoint: request.endpoint,
    model: request.model ?? null,
    status: request.status,
    error_code: request.errorCode ?? null,
    input_tokens: request.inputTokens,
    output_tokens: request.outputTokens,
    first_token_ms: request.firstTokenMs === undefined ? null : tenths(request.firstTokenMs),
    duration_ms: tenths(request.durationMs),
    streamed: request.streamed,
  };
}
