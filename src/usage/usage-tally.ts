import type { EndedRequest, UsageRecorder } from '../access/usage-recorder.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import type { UsageJournal } from './usage-journal.ts';
import type { UsageObserver } from './usage-observer.ts';
import type { UsageDimension, UsageRow } from './usage-row.ts';
import { addRequest, type OpenRow, openRow } from './usage-sums.ts';

const DAY_MS = 86_400_000;
/**
 * Rows with full dimensions. Beyond that, a stack's usage goes into one row a day; those are bounded by the stacks a process
 * remembers, because without the database no others are known.
 */
const MAX_ROWS = 10_000;
/** Replaces keys, endpoints and models beyond the bound. */
const OTHER = '(other)';

/** A row and its place in the journal's segment. */
interface PlacedRow {
  readonly row: OpenRow;
  readonly place: number;
}

export interface UsageTallyOptions {
  readonly clock: WallClock;
  readonly observer: UsageObserver;
  readonly maxRows?: number;
  /** Gets every request too; if absent, the usage of a killed process is lost. */
  readonly journal?: Pick<UsageJournal, 'addRow' | 'add' | 'append'>;
}

/** Sums up requests in memory until they are written. */
export class UsageTally implements UsageRecorder {
  readonly #options: UsageTallyOptions;
  readonly #rows = new Map<string, PlacedRow>();
  #dayNumber = Number.NaN;
  #day = '';
  /** The row of the last request; usually also that of the next. */
  #latest: { readonly of: EndedRequest; readonly day: string; readonly row: PlacedRow } | undefined;

  constructor(options: UsageTallyOptions) {
    this.#options = options;
  }

  /** Rows waiting to be written. */
  get size(): number {
    return this.#rows.size;
  }

  record(request: EndedRequest): void {
    const { row, place } = this.#rowOf(request);
    addRequest(row, request);
    this.#options.journal?.add(place, request, this.#allRows);
    const { promptTokens, completionTokens } = request;
    if (promptTokens + completionTokens > 0)
      this.#options.observer.tokensUsed(promptTokens, completionTokens);
  }

  secure(): void {
    this.#options.journal?.append();
  }

  /** Removes and returns all rows, oldest first. */
  take(): readonly UsageRow[] {
    const taken = [...this.#allRows()];
    this.#latest = undefined;
    this.#rows.clear();
    return taken;
  }

  readonly #allRows = () => [...this.#rows.values()].map(({ row }) => row);

  #rowOf(request: EndedRequest): PlacedRow {
    const day = this.#dayOf(this.#options.clock.nowMs() - request.latencyMs);
    const latest = this.#latest;
    if (latest?.day === day && isAlike(latest.of, request)) return latest.row;
    const row = this.#findRow(request, day);
    this.#latest = { of: request, day, row };
    return row;
  }

  #findRow({ caller: { stack, key }, endpoint, model = '' }: EndedRequest, day: string): PlacedRow {
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

  #add(name: string, dimensions: Record<UsageDimension, string>): PlacedRow {
    const placed = { row: openRow(dimensions), place: this.#rows.size };
    this.#options.journal?.addRow(placed.row);
    this.#rows.set(name, placed);
    return placed;
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

function isAlike(one: EndedRequest, other: EndedRequest): boolean {
  return one.caller === other.caller && one.endpoint === other.endpoint && one.model === other.model;
}

// The model comes last: only it may contain any character.
function nameOf(row: Readonly<Record<UsageDimension, string>>): string {
  return `${row.day} ${row.account} ${row.stack} ${row.key} ${row.endpoint} ${row.model}`;
}
