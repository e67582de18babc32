import { closeSync, openSync, renameSync, unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { SettledMoney } from '../access/money-budget.ts';
import type { EndedRequest } from '../access/usage-recorder.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { errorCode } from '../lib/error-code.ts';
import type { Log } from '../telemetry/log.ts';
import type { SettledShare } from './left-usage.ts';
import { LineBuffer } from './line-buffer.ts';
import { nameOfShare, settledLine } from './settled-line.ts';
import { writeRequestLine } from './usage-line.ts';
import type { UsageRow } from './usage-row.ts';

/** A larger segment is rewritten as sums: while the database is away, a segment goes on. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Settled shares of budgets are reported by others a few seconds later; until then each new segment carries them. */
const CARRIED_SEGMENTS = 8;
/** How often a segment that lacks requests is tried again. */
const COMPLETE_EVERY_MS = 1_000;

export interface UsageJournalOptions {
  readonly folder: string;
  readonly process: string;
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly mostBytes?: number;
  readonly clock?: Pick<Clock, 'nowMs'>;
  /** Appends the first bytes of a buffer to a file, and returns the number of those that it took; replaced in tests. */
  readonly write?: (file: number, bytes: Buffer, length: number) => number;
}

interface CarriedShare {
  share: SettledShare;
  segments: number;
}

/**
 * The usage of a process that is not yet in the ledger, on its own disk: each request is appended before its last byte, those that
 * end in one turn of the event loop by one write. It is not waited for the disk, so it survives the death of the process, not that of the machine. A segment has the
 * requests of the batches that are written together, and is removed when they were.
 */
export class UsageJournal {
  readonly #options: UsageJournalOptions;
  /** Lines of requests that are not appended yet. */
  readonly #lines = new LineBuffer();
  #rows: () => Iterable<UsageRow> = () => [];
  readonly #onTurnEnd = (): void => this.append();
  readonly #settled = new Map<string, CarriedShare>();
  /** The share of tokens that was settled last; usually also the next, which then needs no name. */
  #latest: CarriedShare | undefined;
  /** The sums of the segments that lack requests, because they could not be written. */
  readonly #lacking = new Map<number, () => Iterable<UsageRow>>();
  #completeFromMs = Number.NEGATIVE_INFINITY;
  #sequence = 1;
  #file: number | undefined;
  #sizeBytes = 0;
  #isFailing = false;
  #hasWarned = false;

  constructor(options: UsageJournalOptions) {
    this.#options = options;
  }

  /** Begins a row of the segment; requests refer to rows by their order. */
  addRow(row: UsageRow): void {
    this.append();
    this.#appendText(rowLine(row));
  }

  /** Adds a request, which is appended at the end of the turn of the event loop, or earlier by `append`. `rows` are the sums so far, this request included. */
  add(row: number, request: EndedRequest, rows: () => Iterable<UsageRow>): void {
    const { caller, settledDay, settledTokens, settledMoney } = request;
    if (settledDay !== undefined) this.#carryTokens(caller.stack.id, settledDay, settledTokens);
    const lines = this.#lines;
    if (settledMoney !== undefined || !lines.hasRoom) this.append();
    if (lines.length === 0) setImmediate(this.#onTurnEnd);
    this.#rows = rows;
    writeRequestLine(lines, row, request);
    if (settledMoney !== undefined) this.#appendWithMoney(settledMoney);
  }

  /** Appends what was added. */
  append(): void {
    const lines = this.#lines;
    if (lines.length === 0) return;
    this.#write(lines.bytes, lines.length);
    lines.clear();
    this.#appended();
  }

  /** Ends the segment, whose sums are `taken`, and begins the one of the batch with this number. */
  rotate(sequence: number, taken: readonly UsageRow[]): void {
    this.append();
    if (this.#isFailing) this.#lacking.set(this.#sequence, () => taken);
    this.#close();
    this.#isFailing = false;
    this.#sequence = sequence;
    let carried = '';
    for (const [name, kept] of this.#settled) {
      if (kept.segments-- > 0) carried += settledLine(kept.share);
      else this.#settled.delete(name);
    }
    this.#latest = undefined;
    if (carried !== '') this.#appendText(carried);
  }

  /** Removes a segment whose batches are written. */
  remove(sequence: number): void {
    this.#lacking.delete(sequence);
    try {
      // `rmSync` takes three times as long.
      unlinkSync(this.#pathOf(sequence));
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }

  /** Removes what is left, when everything is written and reported. */
  close(): void {
    this.#lines.clear();
    this.#close();
    this.remove(this.#sequence);
  }

  /** In one write with the request: a kill between the two would leave a cost that no budget has. */
  #appendWithMoney(settled: readonly SettledMoney[]): void {
    const lines = this.#lines;
    const line = lines.bytes.toString('latin1', 0, lines.length);
    lines.clear();
    this.#appendText(this.#moneyLines(settled) + line);
    this.#appended();
  }

  /** Does what the last write showed to be necessary. */
  #appended(): void {
    const rows = this.#rows;
    if (this.#isFailing) this.#lacking.set(this.#sequence, rows);
    if (this.#hasWarned) this.#complete();
    else if (this.#sizeBytes > (this.#options.mostBytes ?? MOST_BYTES))
      this.#writeSums(this.#sequence, rows());
  }

  #moneyLines(settled: readonly SettledMoney[]): string {
    let lines = '';
    for (const { subject, micros: amount } of settled) {
      const { stackId: stack, keyId: key = '', day = '' } = subject;
      const share = { kind: 'money', stack, key, day, amount } as const;
      this.#carry(share);
      lines += settledLine(share);
    }
    return lines;
  }

  #carryTokens(stack: string, day: string, amount: number): void {
    const latest = this.#latest;
    const share = { kind: 'tokens', stack, key: '', day, amount } as const;
    if (latest?.share.stack === stack && latest.share.day === day) latest.share = share;
    else this.#latest = this.#carry(share);
  }

  #carry(share: SettledShare): CarriedShare {
    const carried = { share, segments: CARRIED_SEGMENTS };
    this.#settled.set(nameOfShare(share), carried);
    return carried;
  }

  #appendText(text: string): void {
    const bytes = Buffer.from(text);
    this.#write(bytes, bytes.length);
  }

  #write(bytes: Buffer, length: number): void {
    if (this.#isFailing) return;
    const { write = writeFirst } = this.#options;
    try {
      this.#file ??= openSync(this.#pathOf(this.#sequence), 'a', 0o600);
      const written = write(this.#file, bytes, length);
      // A disk takes the first part of a line when that is all the room it has left.
      if (written !== length) throw new Error('the disk is full');
      this.#sizeBytes += written;
    } catch (error) {
      // A part of a line may be there, so this segment gets no more lines.
      this.#isFailing = true;
      if (!this.#hasWarned) {
        this.#options.log.warn(
          { error },
          'the usage journal cannot be written; usage is kept in memory alone for now',
        );
      }
      this.#hasWarned = true;
    }
  }

  /** Writes segments that lack requests as sums. */
  #complete(): void {
    const { clock = systemClock, log } = this.#options;
    const nowMs = clock.nowMs();
    if (nowMs < this.#completeFromMs) return;
    this.#completeFromMs = nowMs + COMPLETE_EVERY_MS;
    for (const [sequence, rows] of this.#lacking) {
      if (!this.#writeSums(sequence, rows())) return;
      this.#lacking.delete(sequence);
    }
    this.#isFailing = false;
    this.#hasWarned = false;
    log.info({}, 'the usage journal can be written again');
  }

  /** Rewrites a segment as sums; false if it stays as it was. */
  #writeSums(sequence: number, rows: Iterable<UsageRow>): boolean {
    let text = '';
    for (const { share } of this.#settled.values()) text += settledLine(share);
    for (const row of rows) text += rowLine(row);
    const path = this.#pathOf(sequence);
    if (sequence === this.#sequence) this.#close();
    try {
      writeFileSync(`${path}.new`, text, { mode: 0o600 });
      renameSync(`${path}.new`, path);
      return true;
    } catch (error) {
      if (!this.#hasWarned) this.#options.log.warn({ error }, 'the usage journal could not be shortened');
      return false;
    }
  }

  #close(): void {
    const file = this.#file;
    this.#file = undefined;
    this.#sizeBytes = 0;
    try {
      if (file !== undefined) closeSync(file);
    } catch (error) {
      // Thrown on, it would take the sums with it that are about to be written.
      this.#options.log.warn({ error }, 'a file of the usage journal could not be closed');
    }
  }

  #pathOf(sequence: number): string {
    return join(this.#options.folder, `${this.#options.process}-${sequence}.log`);
  }
}

function rowLine(row: UsageRow): string {
  return `r ${JSON.stringify(row)}\n`;
}

function writeFirst(file: number, bytes: Buffer, length: number): number {
  return writeSync(file, bytes, 0, length);
}
