import { randomBytes } from 'node:crypto';
import type { Caller } from '../access/caller.ts';
import type { Clock } from '../lib/clock.ts';
import { type Form, isForm } from '../lib/form.ts';
import type { WallClock } from '../lib/wall-clock.ts';
import type { BodyRule } from './body-rules.ts';
import { Capture, type OpenEntry } from './capture.ts';
import type { Exchange } from './exchange.ts';

const MINUTE_MS = 60_000;
/** A capture lasts at most this long. */
export const MAX_CAPTURE_MINUTES = 15;
/** The bodies can be looked at for this long after the end. */
const KEPT_MS = 15 * MINUTE_MS;
/** Captures that run or can be looked at, at a time. */
export const MAX_CAPTURES = 8;
/** Of one stack, so that others find room. */
export const MAX_CAPTURES_PER_STACK = 2;

export interface CapturesParts {
  readonly clock: WallClock;
  readonly timers: Pick<Clock, 'after'>;
}

/** A capture to begin. */
export interface NewCapture {
  readonly stackId: string;
  readonly keyId: string;
  readonly by: string;
  readonly minutes: number;
}

/** A request that is captured. */
export interface CapturedRequest {
  /** The rule of the route, by which the body is noted while it is read. */
  readonly rule: BodyRule;
  /** Notes a form after it was read. */
  noteBody(body: unknown): void;
}

/** The captures of this process. Without one, no request is looked at. */
export class Captures {
  readonly #parts: CapturesParts;
  readonly #captures = new Map<string, Capture>();
  readonly #timers = new Map<string, { cancel(): void }>();

  constructor(parts: CapturesParts) {
    this.#parts = parts;
  }

  /** Whether any request may have to be captured. */
  get isActive(): boolean {
    return this.#captures.size > 0;
  }

  /** Newest first. */
  list(): readonly Capture[] {
    return [...this.#captures.values()].reverse();
  }

  find(id: string): Capture | undefined {
    return this.#captures.get(id);
  }

  isRunning({ terms }: Capture): boolean {
    return this.#parts.clock.nowMs() < terms.endsAt.getTime();
  }

  /** `undefined` if there are too many already, in all or of this stack. */
  begin({ stackId, keyId, by, minutes }: NewCapture): Capture | undefined {
    const ofStack = this.list().filter(({ terms }) => terms.stackId === stackId);
    if (this.#captures.size >= MAX_CAPTURES || ofStack.length >= MAX_CAPTURES_PER_STACK) return undefined;
    const id = `capture_${randomBytes(12).toString('hex')}`;
    const nowMs = this.#parts.clock.nowMs();
    const lengthMs = Math.min(minutes, MAX_CAPTURE_MINUTES) * MINUTE_MS;
    const times = { startedAt: new Date(nowMs), endsAt: new Date(nowMs + lengthMs) };
    const capture = new Capture({ id, stackId, keyId, by, ...times });
    this.#captures.set(id, capture);
    this.#timers.set(
      id,
      this.#parts.timers.after(lengthMs + KEPT_MS, () => this.remove(id)),
    );
    return capture;
  }

  /** Ends a capture and forgets what it holds. */
  remove(id: string): void {
    this.#captures.delete(id);
    this.#timers.get(id)?.cancel();
    this.#timers.delete(id);
  }

  /** Forgets everything. */
  stop(): void {
    for (const id of this.#captures.keys()) this.remove(id);
  }

  /** Begins to note a request and its answer, if a capture of its key runs. */
  open(rule: BodyRule, exchange: Exchange, { caller, endpoint }: CapturedCall): CapturedRequest | undefined {
    const entries = this.list()
      .filter((capture) => this.isRunning(capture) && isOf(capture, caller))
      .map((capture) =>
        capture.open({
          id: exchange.id,
          at: new Date(this.#parts.clock.nowMs()),
          method: exchange.incoming.method ?? '',
          endpoint,
        }),
      );
    if (entries.length === 0) return undefined;
    for (const entry of entries) exchange.tap((outlet) => entry.tapping(outlet));
    return { rule: notingRule(rule, entries, exchange), noteBody: (body) => noteForm(body, entries) };
  }
}

interface CapturedCall {
  readonly caller: Caller;
  readonly endpoint: string;
}

function isOf({ terms }: Capture, { stack, key }: Caller): boolean {
  return terms.stackId === stack.id && terms.keyId === key.id;
}

/** Notes the bytes of JSON when they are scanned; larger bodies are not scanned here, and only counted. */
function notingRule(rule: BodyRule, entries: readonly OpenEntry[], { incoming }: Exchange): BodyRule {
  if (rule.kind !== 'json') return rule;
  const declared = Number(incoming.headers['content-length'] ?? 0);
  if (declared > MAX_NOTED_BYTES) {
    for (const entry of entries) entry.noteUnseen(declared);
    return rule;
  }
  return {
    ...rule,
    scan: (bytes) => {
      for (const entry of entries) entry.noteRequest(bytes);
      return rule.scan?.(bytes);
    },
  };
}

/** Bodies that are longer are parsed on another thread. */
const MAX_NOTED_BYTES = 1024 * 1024;

function noteForm(body: unknown, entries: readonly OpenEntry[]): void {
  if (Buffer.isBuffer(body)) for (const entry of entries) entry.noteUnseen(body.length);
  if (!isForm(body)) return;
  const text = JSON.stringify(formView(body), undefined, 2);
  for (const entry of entries) entry.noteRequest(text);
}

/** Fields with their texts, and files by their names: their bytes are not kept. */
function formView({ lists, files }: Form): object {
  return {
    fields: Object.fromEntries(
      [...lists].map(([name, texts]) => [name, texts.length === 1 ? texts[0] : texts]),
    ),
    files: files.map(({ field, fileName, bytes }) => ({ field, name: fileName, bytes: bytes.length })),
  };
}
