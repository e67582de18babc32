import { createHash } from 'node:crypto';
import type {
  CompiledSchema,
  SchemaProblem,
  SchemaReport,
  ValueProblem,
} from '@stackgate/json-schema-grammar';
import { type Clock, systemClock } from '../../lib/clock.ts';
import { hasErrorCode } from '../../lib/error-code.ts';
import { SharedCalls } from '../../lib/shared-calls.ts';
import { ChildLost } from '../../supervision/child-lost.ts';
import { GATEWAY_STACK } from '../../supervision/round-robin-queue.ts';
import type { StackWork } from '../../supervision/stack-work.ts';
import { refusedReport } from '../refused-report.ts';
import { SchemaRefused } from '../schema-refused.ts';
import { BoundedCache, type CacheBounds } from './bounded-cache.ts';
import { type GrammarOptions, isJobOutcome, type JobOutcome, type SchemaJob } from './schema-job.ts';
import { MAX_WORKER_MIB, SchemaWorkers, type SchemaWorkersOptions } from './schema-workers.ts';

/** How much CPU time a worker may take for one job before it is ended, in milliseconds. */
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

/** Schemas above this are refused before a worker sees them. */
export const MAX_SCHEMA_BYTES = 4 * 2 ** 20;
/** The compiler keeps its own five seconds; these are for what it cannot look up from. */
const DEFAULT_DEADLINES: SchemaDeadlines = {
  compileMs: 7_000,
  examineMs: 15_000,
  validateMs: 5_000,
  breachMs: 5_000,
};
const DEFAULT_CACHE: CacheBounds = { maxEntries: 512, maxBytes: 64 * 2 ** 20 };
const UNUSABLE_BOUNDS: CacheBounds = { maxEntries: 256, maxBytes: 2 ** 20 };
/** Whether a schema takes too long may depend on how busy the machine is. */
const UNUSABLE_MS = 10 * 60_000;
/** What took too long is remembered, and refused without work, for so long. */
const COMPLEX_MS = 10 * 60_000;
const COMPLEX_BOUNDS: CacheBounds = { maxEntries: 2_000, maxBytes: 2 * 2 ** 20 };

interface RememberedRefusal {
  readonly refused: SchemaProblem;
  readonly untilMs: number;
}

/**
 * Compiles, examines and validates in worker threads, for stacks that take turns: a schema without end is ended at the
 * deadline, and costs nobody else more than a wait. A schema that cannot be used is thrown as SchemaRefused.
 */
export class SchemaService {
  readonly #workers: SchemaWorkers;
  readonly #deadlines: SchemaDeadlines;
  readonly #compiled: BoundedCache<JobOutcome<CompiledSchema>>;
  readonly #compiling = new SharedCalls<JobOutcome<CompiledSchema>>();
  /** Schemas by which no text could be looked at: a worker is not spent on them again. */
  readonly #unusable = new BoundedCache<RememberedRefusal>(UNUSABLE_BOUNDS);
  readonly #tooComplex = new BoundedCache<RememberedRefusal>(COMPLEX_BOUNDS);
  readonly #clock: Clock;

  constructor(options: SchemaServiceOptions = {}) {
    this.#workers = new SchemaWorkers(options);
    this.#clock = options.clock ?? systemClock;
    this.#deadlines = { ...DEFAULT_DEADLINES, ...options.deadlines };
    this.#compiled = new BoundedCache({ ...DEFAULT_CACHE, ...options.cache });
  }

  /** What is held now: compiled schemas and their size, and jobs that wait or run. */
  get load(): { readonly cached: number; readonly cachedBytes: number; readonly jobs: number } {
    const { entries, sizeBytes } = this.#compiled;
    return { cached: entries, cachedBytes: sizeBytes, jobs: this.#workers.jobs };
  }

  /** The grammar of a schema, and what only validation holds. */
  async compile(schema: unknown, options: GrammarOptions, work: StackWork): Promise<CompiledSchema> {
    const { stackId, signal } = work;
    signal.throwIfAborted();
    const job: SchemaJob = { kind: 'compile', schema: jsonText(schema), options };
    const key = keyOf(job);
    const known = this.#compiled.get(key);
    if (known) return resultOf(known);
    const start = (shared: AbortSignal) => this.#compileAnew(key, job, { stackId, signal: shared });
    // Shared within a stack only: nobody waits for another stack's turn.
    return resultOf(await this.#compiling.join(`${stackId}\n${key}`, signal, start));
  }

  /** What the doctor says of a schema; one that cannot be used is told by the report, not thrown. */
  async examine(schema: unknown, work: StackWork): Promise<SchemaReport> {
    try {
      const job: SchemaJob = { kind: 'examine', schema: jsonText(schema) };
      return resultOf(await this.#ask<SchemaReport>(job, this.#deadlines.examineMs, work));
    } catch (error) {
      if (error instanceof SchemaRefused) return refusedReport(error);
      throw error;
    }
  }

  /** What is wrong with a value, as far as the bound on problems; nothing when it satisfies the schema. */
  async validate(schema: unknown, value: unknown, work: StackWork): Promise<readonly ValueProblem[]> {
    const job: SchemaJob = {
      kind: 'validate',
      schema: jsonText(schema),
      value: JSON.stringify(value) ?? 'null',
    };
    return resultOf(await this.#ask<readonly ValueProblem[]>(job, this.#deadlines.validateMs, work));
  }

  /** The keyword that a text breaks, `json` where it is none; `undefined` where it satisfies the schema. For looks that nobody waits for. */
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

  /** Lets jobs end that have begun, and ends the workers; the signal's abort ends both at once. */
  async stop(signal: AbortSignal): Promise<void> {
    await this.#workers.stop(signal);
  }

  async #compileAnew(key: string, job: SchemaJob, work: StackWork): Promise<JobOutcome<CompiledSchema>> {
    const outcome = await this.#ask<CompiledSchema>(job, this.#deadlines.compileMs, work);
    // Those that are too complex are remembered apart, and for a while.
    if (!('refused' in outcome) || outcome.refused.reason !== 'too-complex') {
      // Two bytes a character at most.
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
    // Mostly there are none, and then nothing is hashed.
    if (this.#tooComplex.entries === 0) return undefined;
    const known = this.#tooComplex.get(keyOf(job));
    return known && known.untilMs > this.#clock.nowMs() ? known.refused : undefined;
  }

  #remember(job: SchemaJob, refused: SchemaProblem): void {
    const untilMs = this.#clock.nowMs() + COMPLEX_MS;
    this.#tooComplex.set(keyOf(job), { refused, untilMs }, 2 * JSON.stringify(refused).length);
  }
}

/** The same for the same schema, value and options only. */
function keyOf(job: SchemaJob): string {
  return createHash('sha256').update(JSON.stringify(job)).digest('base64');
}

/** The doctor tells a refusal in its report. */
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

/** A worker that is ended for its job's sake says something of the schema; any other loss does not. */
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

function ranOutOfMemory({ cause }: ChildLost): boolean {
  const thrown = cause instanceof Error ? cause.cause : undefined;
  return hasErrorCode(thrown, 'ERR_WORKER_OUT_OF_MEMORY');
}
