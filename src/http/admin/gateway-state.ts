import { z } from 'zod';
import { Fault } from '../../faults/fault.ts';
import { wallClock } from '../../lib/wall-clock.ts';
import { SqlUsage } from '../../store/sql-usage.ts';
import { noUsage } from '../../usage/usage-sums.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { limitList, limitListSchema } from '../limit-list.ts';
import { jsonReply, type OperatorRequest } from '../route.ts';
import { noStack, seenStack } from './admin-rights.ts';
import { type AdminRoute, reading } from './admin-route.ts';
import type { AdminSources, EngineReport } from './admin-sources.ts';
import { DaySums, OVERVIEW_DAYS } from './day-sums.ts';
import { usageSums, usageSumsSchema } from './usage-sums.ts';

const engineSchema = z.object({
  name: z.string(),
  capability: z.enum(['text', 'image', 'ocr', 'fields', 'pdf', 'embeddings']),
  kind: z.string(),
  state: z.enum(['starting', 'ready', 'degraded', 'paused']),
  model: z.string().nullable(),
  waiting: z.int().nullable().describe('Work that waits for it, where that is known.'),
  last_error: z.string().nullable().describe('The last failure of a request that it served.'),
});

const overviewSchema = z.object({
  replica: z.string().describe('The process that answers; what is told of now is of it alone.'),
  version: z.string(),
  started_at: z.iso.datetime(),
  engines: z.array(engineSchema),
  queues: z.array(z.object({ name: z.string(), waiting: z.int() })),
  now: z.object({
    in_flight: z.int().nullable().describe('null: not known for one stack.'),
    requests_per_minute: z.int(),
    errors_per_minute: z.int(),
    tokens_per_minute: z.int(),
  }),
  today: usageSumsSchema,
  days: z.array(usageSumsSchema.extend({ day: z.iso.date() })),
});

/** The state of the gateway: overview, engines and limits. */
export function stateRoutes(sources: AdminSources): readonly AdminRoute[] {
  const daySums = new DaySums(new SqlUsage(sources.pool), wallClock);
  return [
    {
      ...common,
      path: '/overview',
      summary: 'Overview',
      detail: `Engines, queues and requests of the process that answers, and the usage of the last ${OVERVIEW_DAYS} days.`,
      query: [{ name: 'stack', meaning: 'Only requests and usage of this stack.' }],
      answer: jsonReply('AdminOverview', overviewSchema),
      handle: (request) => answerOverview(sources, daySums, request),
    },
    {
      ...common,
      path: '/engines',
      summary: 'Engines',
      detail: 'The engines of the process that answers, and their states.',
      answer: jsonReply('AdminEngineList', z.object({ replica: z.string(), data: z.array(engineSchema) })),
      handle: () => jsonAnswer({ replica: sources.replica.name, data: sources.engines().map(engineObject) }),
    },
    {
      ...common,
      path: '/limits',
      summary: 'Limits of a stack',
      detail: 'Every ceiling of a stack with what is used of it, as `/v1/limits` tells it; `key` is empty.',
      query: [{ name: 'stack', meaning: 'The stack; members of one need not name it.' }],
      answer: jsonReply('LimitList', limitListSchema),
      faults: ['invalid-request', 'admin-object-not-found'],
      handle: (request) => answerLimits(sources, request),
    },
  ];
}

const common = { ...reading, faults: ['admin-object-not-found'] } as const;

async function answerOverview(
  sources: AdminSources,
  daySums: DaySums,
  { operator, query }: OperatorRequest,
): Promise<Answer> {
  const { replica, ring, drainGate } = sources;
  const stack = seenStack(operator, query);
  const minute = stack === undefined ? ring.lastMinute() : ring.lastMinuteOf(stack);
  const days = await daySums.read(stack);
  return jsonAnswer({
    replica: replica.name,
    version: replica.version,
    started_at: replica.startedAt.toISOString(),
    engines: sources.engines().map(engineObject),
    queues: sources.queues().map(([name, waiting]) => ({ name, waiting })),
    now: {
      in_flight: stack === undefined ? drainGate.serving : null,
      requests_per_minute: minute.requests,
      errors_per_minute: minute.errors,
      tokens_per_minute: minute.tokens,
    },
    today: withoutDay(days.at(-1)),
    days,
  });
}

function withoutDay(day: Awaited<ReturnType<DaySums['read']>>[number] | undefined) {
  if (day === undefined) return usageSums(noUsage);
  const { day: _day, ...sums } = day;
  return sums;
}

async function answerLimits(
  { limits, stackCaller }: AdminSources,
  { operator, query }: OperatorRequest,
): Promise<Answer> {
  const stack = seenStack(operator, query);
  if (stack === undefined) {
    throw new Fault('invalid-request', '`stack` must name a stack.', { param: 'stack' });
  }
  const caller = await stackCaller(stack);
  if (caller === undefined) throw noStack(stack);
  return jsonAnswer(await limitList(limits, caller));
}

function engineObject(engine: EngineReport): z.infer<typeof engineSchema> {
  const { name, capability, kind, state } = engine;
  return {
    name,
    capability,
    kind,
    state,
    model: engine.model ?? null,
    waiting: engine.waiting ?? null,
    last_error: engine.lastError ?? null,
  };
}
