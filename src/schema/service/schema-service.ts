import { createHash } from 'node:crypto';
import type {
  CompiledSchema,
  SchemaProblem,
  SchemaReport,
  ValueProblem,
} from '@stackgate/json-schema-grammar';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { SharedCalls } from '../../lib/shared-calls.ts';
import { ChildExit, ChildLost } from '../../supervision/child-lost.ts';
import { GATEWAY_STACK } from '../../supervision/round-robin-queue.ts';
import type { StackWork } from '../../supervision/stack-work.ts';
import { refusedReport } from '../refused-report.ts';
import { SchemaRefused } from '../schema-refused.ts';
import { BoundedCache, type CacheBounds } from './bounded-cache.ts';
import { type GrammarOptions, isJobOutcome, type JobOutcome, type SchemaJob } from './schema-job.ts';
import { MAX_WORKER_MIB, SchemaWorkers, type SchemaWorkersOptions } from './schema-workers.ts';

/** CPU time of one job, in milliseconds, before its worker is ended. */
export interface SchemaDeadlines {
  readonly compileMs: number;
  readonly examineMs: number;
  readonly validateMs: number;
  readonly breachMs: number;
}

export interface SchemaServiceOptions extends SchemaWorkersOptions {
  readonly deadlines?: Partial<SchemaDeadlines>;
  readonly cache?: Partial<CacheBounds>;
}

/** Larger schemas are refused without a worker. */
export const MAX_SCHEMA_BYTES = 4 * 2 ** 20;
/** The compiler has its own limit of five seconds; these end steps in which it cannot check the time. */
const DEFAULT_DEADLINES: SchemaDeadlines = {
  compileMs: 7_000,
  examineMs: 15_000,
  validateMs: 5_000,
  breachMs: 5_000,
};
const DEFAULT_CACHE: CacheBounds = { maxEntries: 512, maxBytes: 64 * 2 ** 20 };
const UNUSABLE_BOUNDS: CacheBounds = { maxEntries: 256, maxBytes: 2 ** 20 };
/** Not kept forever: whether a schema takes too long may depend on the load of the machine. */
const UNUSABLE_MS = 10 * 60_000;
/** How long a schema that took too long is refused without work. */
const COMPLEX_MS = 10 * 60_000;
const COMPLEX_BOUNDS: CacheBounds = { maxEntries: 2_000, maxBytes: 2 * 2 ** 20 };

interface RememberedRefusal {
  readonly refused: SchemaProblem;
  readonly untilMs: number;
}

/**
 * Compiles, examines and validates in worker processes; stacks take turns. A job that exceeds its deadline is ended and only
 * delays others. Throws SchemaRefused for a schema that cannot be used.
 */
export class SchemaService {
  readonly #workers: SchemaWorkers;
  readonly #deadlines: SchemaDeadlines;
  readonly #compiled: BoundedCache<JobOutcome<CompiledSchema>>;
  readonly #compiling = new SharedCalls<JobOutcome<CompiledSchema>>();
  /** Schemas with which `breach` could not check a text; not tried again for a while. */
  readonly #unusable = new BoundedCache<RememberedRefusal>(UNUSABLE_BOUNDS);
  readonly #tooComplex = new BoundedCache<RememberedRefusal>(COMPLEX_BOUNDS);
  readonly #clock: Clock;

  constructor(options: SchemaServiceOptions = {}) {
    this.#workers = new SchemaWorkers(options);
    this.#clock = options.clock ?? systemClock;
    this.#deadlines = { ...DEFAULT_DEADLINES, ...options.deadlines };
    this.#compiled = new BoundedCache({ ...DEFAULT_CACHE, ...options.cache });
  }

  /** Cached schemas and their size, and jobs waiting or running. */
  get load(): { readonly cached: number; readonly cachedBytes: number; readonly jobs: number } {
    const { entries, sizeBytes } = this.#compiled;
    return { cached: entries, cachedBytes: sizeBytes, jobs: this.#workers.jobs };
  }

  /** Compiles a schema to a grammar. */
  async compile(schema: unknown, options: GrammarOptions, work: StackWork): Promise<CompiledSchema> {
    const { stackId, signal } = work;
    signal.throwIfAborted();
    const job: SchemaJob = { kind: 'compile', schema: jsonText(schema), options };
    const key = keyOf(job);
    const known = this.#compiled.get(key);
    if (known) return resultOf(known);
    const start = (shared: AbortSignal) => this.#compileAnew(key, job, { stackId, signal: shared });
    // Shared within a stack only, so that a request never waits for another stack's turn.
    return resultOf(await this.#compiling.join(`${stackId}\n${key}`, signal, start));
  }

  /** Examines a schema. If it cannot be used, the report says so; SchemaRefused is not thrown. */
  async examine(schema: unknown, work: StackWork): Promise<SchemaReport> {
    try {
      const job: SchemaJob = { kind: 'examine', schema: jsonText(schema) };
      return resultOf(await this.#ask<SchemaReport>(job, this.#deadlines.examineMs, work));
    } catch (error) {
      if (error instanceof SchemaRefused) return refusedReport(error);
      throw error;
    }
  }

  /** The problems of a value, up to a bound; none if it satisfies the schema. */
  async validate(schema: unknown, value: unknown, work: StackWork): Promise<readonly ValueProblem[]> {
    const job: SchemaJob = {
      kind: 'validate',
      schema: jsonText(schema),
      value: JSON.stringify(value) ?? 'null',
    };
    return resultOf(await this.#ask<readonly ValueProblem[]>(job, this.#deadlines.validateMs, work));
  }

  /** The keyword that a text violates, or `json` if it is not JSON; undefined if it satisfies the schema. Runs in the background. */
  async breach(schema: unknown, text: string, signal: AbortSignal): Promise<string | undefined> {
    const schemaText = jsonText(schema);
    const key = createHash('sha256').update(schemaText).digest('base64');
    const known = this.#unusable.get(key);
    const nowMs = this.#clock.nowMs();
    if (known !== undefined && nowMs < known.untilMs) return resultOf<never>(known);
    const job: SchemaJob = { kind: 'breach', schema: schemaText, text };
    const work = { stackId: GATEWAY_STACK, signal };
    const outcome = await this.#ask<string | null>(job, this.#deadlines.breachMs, work);
    if ('refused' in outcome) {
      const remembered = { ...outcome, untilMs: nowMs + UNUSABLE_MS };
      this.#unusable.set(key, remembered, 2 * JSON.stringify(remembered).length);
    }
    return resultOf(outcome) ?? undefined;
  }

  /** Lets running jobs finish, then ends the workers; an abort of the signal ends both at once. */
  async stop(signal: AbortSignal): Promise<void> {
    await this.#workers.stop(signal);
  }

  async #compileAnew(key: string, job: SchemaJob, work: StackWork): Promise<JobOutcome<CompiledSchema>> {
    const outcome = await this.#ask<CompiledSchema>(job, this.#deadlines.compileMs, work);
    // Schemas that are too complex are remembered separately, for a limited time.
    if (!('refused' in outcome) || outcome.refused.reason !== 'too-complex') {
      // At most two bytes per character.
      this.#compiled.set(key, outcome, 2 * JSON.stringify(outcome).length);
    }
    return outcome;
  }

  async #ask<Result>(job: SchemaJob, cpuMs: number, work: StackWork): Promise<JobOutcome<Result>> {
    work.signal.throwIfAborted();
    const known = this.#recalled(job);
    if (known) return { refused: known };
    const outcome = await this.#work<Result>(job, cpuMs, work);
    const refused = refusalIn(outcome);
    if (refused?.reason === 'too-complex') this.#remember(job, refused);
    return outcome;
  }

  async #work<Result>(job: SchemaJob, cpuMs: number, work: StackWork): Promise<JobOutcome<Result>> {
    try {
      const answer = await this.#workers.ask(job, cpuMs, work);
      if (isJobOutcome<Result>(answer)) return answer;
      throw new TypeError('the schema worker answered nothing it was asked for');
    } catch (error) {
      const refused = refusalOfLoss(error, cpuMs);
      if (refused) return { refused };
      throw error;
    }
  }

  #recalled(job: SchemaJob): SchemaProblem | undefined {
    // Usually empty; then no hash is computed.
    if (this.#tooComplex.entries === 0) return undefined;
    const known = this.#tooComplex.get(keyOf(job));
    return known && known.untilMs > this.#clock.nowMs() ? known.refused : undefined;
  }

  #remember(job: SchemaJob, refused: SchemaProblem): void {
    const untilMs = this.#clock.nowMs() + COMPLEX_MS;
    this.#tooComplex.set(keyOf(job), { refused, untilMs }, 2 * JSON.stringify(refused).length);
  }
}

/** Equal for equal schema, value and options only. */
function keyOf(job: SchemaJob): string {
  return createHash('sha256').update(JSON.stringify(job)).digest('base64');
}

/** The refusal in an outcome; `examine` reports it in its result. */
function refusalIn(outcome: JobOutcome<unknown>): SchemaProblem | undefined {
  if ('refused' in outcome) return outcome.refused;
  return isRefusedReport(outcome.result) ? outcome.result.problems[0] : undefined;
}

function isRefusedReport(result: unknown): result is SchemaReport {
  return typeof result === 'object' && result !== null && 'valid' in result && result.valid === false;
}

function resultOf<Result>(outcome: JobOutcome<Result>): Result {
  if ('result' in outcome) return outcome.result;
  throw new SchemaRefused(outcome.refused);
}

function jsonText(schema: unknown): string {
  const text = JSON.stringify(schema);
  if (text === undefined) {
    const message = 'A schema is a JSON object, or true or false.';
    throw new SchemaRefused({ reason: 'invalid', path: '', message });
  }
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes <= MAX_SCHEMA_BYTES) return text;
  const message = `The schema has ${sizeBytes} bytes; at most ${MAX_SCHEMA_BYTES} are read.`;
  throw new SchemaRefused({ reason: 'too-complex', path: '', message });
}

/** If a worker was ended because of its deadline or memory, the schema is at fault; not for any other loss. */
function refusalOfLoss(error: unknown, cpuMs: number): SchemaProblem | undefined {
  if (!(error instanceof ChildLost)) return undefined;
  if (error.reason === 'deadline') {
    const message = `The schema takes longer than ${cpuMs / 1000} seconds; simplify it, its patterns first.`;
    return { reason: 'too-complex', path: '', message };
  }
  if (!ranOutOfMemory(error)) return undefined;
  const message = `The schema takes more than ${MAX_WORKER_MIB} MiB of memory; simplify it.`;
  return { reason: 'too-complex', path: '', message };
}

/** V8 aborts a process whose memory is used up. */
function ranOutOfMemory({ cause }: ChildLost): boolean {
  return cause instanceof ChildExit && cause.signal === 'SIGABRT';
}
