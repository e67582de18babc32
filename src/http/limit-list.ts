import { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { CallerLimits, LimitStanding } from '../access/caller-limits.ts';
import type { LimitKind } from '../access/limit-subject.ts';
import { MICROS_PER_UNIT } from '../access/price-list.ts';
import type { StorageRoom } from '../access/storage-room.ts';
import { limitsByFileNames } from '../config/limit-settings.ts';
import type { ImageStanding } from '../images/image-queue.ts';
import type { ImageService } from '../images/image-service.ts';
import { isRecord } from '../lib/json-record.ts';

const limitSchema = z.object({
  name: z
    .string()
    .describe(
      'As in the configuration, such as `tokens_per_day`, `extraction.pages`, or `budget`: money of this month.',
    ),
  scope: z
    .enum(['account', 'stack', 'key'])
    .describe('Whose ceiling it is: all keys of a stack share one, and all stacks of an account.'),
  limit: z.number().nullable().describe('null: no ceiling.'),
  used: z.number().nullable().describe('null: it holds for each request, or there is no ceiling.'),
  remaining: z.number().nullable(),
  resets_at: z.iso.datetime().nullable().describe('When all of it is there again, where that is known.'),
});

/** The ceilings of a caller, in the API. */
export const limitListSchema = z.object({
  object: z.literal('list'),
  stack: z.string(),
  key: z.string(),
  plan: z.string(),
  data: z.array(limitSchema),
});

type Limit = z.infer<typeof limitSchema>;
type LimitList = z.infer<typeof limitListSchema>;

export interface LimitsSources {
  readonly callerLimits: Pick<CallerLimits, 'standings'>;
  readonly images: Pick<ImageService, 'standing'>;
  readonly storage: Pick<StorageRoom, 'storedBytes'>;
}

/** The ceilings of a caller. */
export async function limitList(sources: LimitsSources, caller: Caller): Promise<LimitList> {
  const { callerLimits, images, storage } = sources;
  const [standings, imageStanding, storedBytes] = await Promise.all([
    callerLimits.standings(caller),
    caller.stack.imagePlan ? images.standing(caller) : undefined,
    caller.plan.limits.storageBytes === null ? undefined : storage.storedBytes(caller),
  ]);
  const nowMs = Date.now();
  const counted = standings.map((standing) => countedLimit(standing, nowMs));
  const values = [...planValues(caller), ...keyValues(caller)].filter(
    ({ name, scope }) => !counted.some((limit) => limit.name === name && limit.scope === scope),
  );
  const data = [
    ...counted,
    ...values.map((limit) => withUse(limit, usedOf(limit.name, { imageStanding, storedBytes }))),
  ];
  return { object: 'list', stack: caller.stack.id, key: caller.key.id, plan: caller.plan.name, data };
}

const names: Readonly<Record<LimitKind, string>> = {
  tokens: 'tokens_per_day',
  requests: 'requests_per_minute',
  places: 'concurrent_requests',
  money: 'budget',
};

function countedLimit({ kind, resetsInMs, ...counted }: LimitStanding, nowMs: number): Limit {
  const resetsAt = resetsInMs === undefined ? undefined : new Date(toSecond(nowMs + resetsInMs));
  const shown = kind === 'money' ? inUnits(counted) : counted;
  return { name: names[kind], ...shown, resets_at: resetsAt?.toISOString() ?? null };
}

function inUnits({ limit, used, remaining, ...rest }: Omit<LimitStanding, 'kind' | 'resetsInMs'>) {
  return {
    ...rest,
    limit: limit / MICROS_PER_UNIT,
    used: used / MICROS_PER_UNIT,
    remaining: remaining / MICROS_PER_UNIT,
  };
}

function toSecond(ms: number): number {
  return Math.round(ms / 1000) * 1000;
}

/** The ceilings of the plan by their names in the configuration, without their use. */
function planValues({ plan, stack }: Caller): readonly Limit[] {
  const { images, ...others } = plan.limits;
  const shown = stack.imagePlan ? { ...others, images } : others;
  return Object.entries(limitsByFileNames(shown)).flatMap(([name, value]) =>
    isRecord(value)
      ? Object.entries(value).map(([part, limit]) => uncounted(`${name}.${part}`, 'stack', limit))
      : [uncounted(name, 'stack', value)],
  );
}

function keyValues({ key }: Caller): readonly Limit[] {
  return Object.entries(limitsByFileNames(key.limits)).map(([name, value]) => uncounted(name, 'key', value));
}

function uncounted(name: string, scope: Limit['scope'], value: unknown): Limit {
  const limit = typeof value === 'number' ? value : null;
  return { name, scope, limit, used: null, remaining: null, resets_at: null };
}

const imageCounts: Readonly<Record<string, keyof ImageStanding>> = {
  'images.submissions_per_minute': 'submissions',
  'images.in_flight': 'inFlight',
  'images.rendering': 'rendering',
};

interface Used {
  readonly imageStanding: ImageStanding | undefined;
  readonly storedBytes: number | undefined;
}

function usedOf(name: string, { imageStanding, storedBytes }: Used): number | undefined {
  if (name === 'storage_bytes') return storedBytes;
  const count = imageCounts[name];
  return count && imageStanding?.[count];
}

function withUse(limit: Limit, used: number | undefined): Limit {
  if (used === undefined || limit.limit === null) return limit;
  return { ...limit, used, remaining: Math.max(0, limit.limit - used) };
}
