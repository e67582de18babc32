import type { Used } from '../access/meter.ts';
import type { EndedRequest, UsageRecorder } from '../access/usage-recorder.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import { latencyBucket, noLatencies } from './latency-counts.ts';
import type { UsageObserver } from './usage-observer.ts';
import type { UsageDimension, UsageRow } from './usage-row.ts';

const DAY_MS = 86_400_000;
/**
 * Rows with full dimensions. Beyond that, a stack's usage goes into one row a day; those are bounded by the stacks a process
 * remembers, because without the database no others are known.
 */
const MAX_ROWS = 10_000;
/** Replaces keys, endpoints and models beyond the bound. */
const OTHER = '(other)';

type Mutable<Row> = { -readonly [Name in keyof Row]: Row[Name] };

interface OpenRow extends Mutable<Omit<UsageRow, 'latencyCounts'>> {
  readonly latencyCounts: number[];
}

export interface UsageTallyOptions {
  readonly clock: WallClock;
  readonly observer: UsageObserver;
  readonly maxRows?: number;
}

/** Sums up requests in memory until they are written. */
export class UsageTally implements UsageRecorder {
  readonly #options: UsageTallyOptions;
  readonly #rows = new Map<string, OpenRow>();
  #dayNumber = Number.NaN;
  #day = '';
  /** The row of the last request; usually also that of the next. */
  #latest: { readonly of: EndedRequest; readonly day: string; readonly row: OpenRow } | undefined;

  constructor(options: UsageTallyOptions) {
    this.#options = options;
  }

  /** Rows waiting to be written. */
  get size(): number {
    return this.#rows.size;
  }

  record(request: EndedRequest): void {
    const row = this.#rowOf(request);
    addUse(row, request);
    addEnd(row, request);
    const { promptTokens, completionTokens } = request;
    if (promptTokens + completionTokens > 0)
      this.#options.observer.tokensUsed(promptTokens, completionTokens);
  }

  /** Removes and returns up to this many rows, oldest first. */
  take(most: number): readonly UsageRow[] {
    const taken: UsageRow[] = [];
    this.#latest = undefined;
    for (const [name, row] of this.#rows) {
      if (taken.length === most) break;
      taken.push(row);
      this.#rows.delete(name);
    }
    return taken;
  }

  #rowOf(request: EndedRequest): OpenRow {
    const day = this.#dayOf(this.#options.clock.nowMs() - request.latencyMs);
    const latest = this.#latest;
    if (latest?.day === day && isAlike(latest.of, request)) return latest.row;
    const row = this.#findRow(request, day);
    this.#latest = { of: request, day, row };
    return row;
  }

  #findRow({ caller: { stack, key }, endpoint, model = '' }: EndedRequest, day: string): OpenRow {
    const { maxRows = MAX_ROWS } = this.#options;
    const exact = { day, account: stack.account, stack: stack.id, key: key.id, endpoint, model };
    const name = nameOf(exact);
    const existing = this.#rows.get(name);
    if (existing !== undefined) return existing;
    if (this.#rows.size < maxRows) return this.#add(name, exact);
    const folded = { ...exact, key: OTHER, endpoint: OTHER, model: OTHER };
    const foldedName = nameOf(folded);
    return this.#rows.get(foldedName) ?? this.#add(foldedName, folded);
  }

  #add(name: string, dimensions: Record<UsageDimension, string>): OpenRow {
    const row: OpenRow = { ...dimensions, ...nothing, latencyCounts: noLatencies() };
    this.#rows.set(name, row);
    return row;
  }

  /** The UTC day in which a request started, which is also the day of its budget. */
  #dayOf(startedMs: number): string {
    const dayNumber = Math.floor(startedMs / DAY_MS);
    if (dayNumber !== this.#dayNumber) {
      this.#dayNumber = dayNumber;
      this.#day = new Date(dayNumber * DAY_MS).toISOString().slice(0, 10);
    }
    return this.#day;
  }
}

const nothing = {
  requests: 0,
  promptTokens: 0,
  completionTokens: 0,
  pages: 0,
  images: 0,
  pdfPages: 0,
  clientErrors: 0,
  limitErrors: 0,
  serverErrors: 0,
  gone: 0,
  costMicros: 0,
  latencyMs: 0,
  maxLatencyMs: 0,
};

function isAlike(one: EndedRequest, other: EndedRequest): boolean {
  return one.caller === other.caller && one.endpoint === other.endpoint && one.model === other.model;
}

// The model comes last: only it may contain any character.
function nameOf(row: Readonly<Record<UsageDimension, string>>): string {
  return `${row.day} ${row.account} ${row.stack} ${row.key} ${row.endpoint} ${row.model}`;
}

function addUse(row: OpenRow, used: Used): void {
  row.promptTokens += used.promptTokens;
  row.completionTokens += used.completionTokens;
  row.pages += used.pages;
  row.images += used.images;
  row.pdfPages += used.pdfPages;
}

function addEnd(row: OpenRow, { outcome, latencyMs, costMicros }: EndedRequest): void {
  row.requests++;
  row.costMicros += costMicros;
  if (outcome === 'client') row.clientErrors++;
  else if (outcome === 'limit') row.limitErrors++;
  else if (outcome === 'server') row.serverErrors++;
  else if (outcome === 'gone') row.gone++;
  row.latencyMs += latencyMs;
  row.maxLatencyMs = Math.max(row.maxLatencyMs, latencyMs);
  const bucket = latencyBucket(latencyMs);
  row.latencyCounts[bucket] = (row.latencyCounts[bucket] ?? 0) + 1;
}
