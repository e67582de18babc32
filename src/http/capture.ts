import type { Outlet } from './outlet.ts';

/** Of a body at most this much is kept. */
export const MAX_BODY_BYTES = 256 * 1024;
const MAX_ENTRIES = 500;
const MAX_BYTES = 16 * 1024 * 1024;

/** A body as it was captured. */
export interface CapturedBody {
  /** Absent: there was none, or it is no text. */
  readonly text: string | undefined;
  readonly bytes: number;
  /** Whether the text is only its beginning, or was too long to be kept. */
  readonly isCut: boolean;
}

/** One request and its answer. */
export interface CapturedEntry {
  readonly id: string;
  readonly at: Date;
  readonly method: string;
  readonly endpoint: string;
  /** Absent: not answered yet. */
  readonly status: number | undefined;
  readonly request: CapturedBody;
  readonly answer: CapturedBody;
}

/** The key that is captured, the person who began it, and the time. */
export interface CaptureTerms {
  readonly id: string;
  readonly stackId: string;
  readonly keyId: string;
  readonly by: string;
  readonly startedAt: Date;
  readonly endsAt: Date;
}

/** The requests of one key with their bodies, for some minutes, in memory alone. */
export class Capture {
  readonly terms: CaptureTerms;
  readonly #entries: OpenEntry[] = [];
  #dropped = 0;

  constructor(terms: CaptureTerms) {
    this.terms = terms;
  }

  /** Newest first. */
  get entries(): readonly CapturedEntry[] {
    return this.#entries.map((entry) => entry.seen()).reverse();
  }

  get requests(): number {
    return this.#entries.length;
  }

  /** Requests that were removed to make room for later ones. */
  get dropped(): number {
    return this.#dropped;
  }

  open(head: Pick<CapturedEntry, 'id' | 'at' | 'method' | 'endpoint'>): OpenEntry {
    const entry = new OpenEntry(head, () => this.#makeRoom());
    this.#entries.push(entry);
    this.#makeRoom();
    return entry;
  }

  #makeRoom(): void {
    let bytes = this.#entries.reduce((sum, { keptBytes }) => sum + keptBytes, 0);
    while (this.#entries.length > MAX_ENTRIES || (bytes > MAX_BYTES && this.#entries.length > 1)) {
      bytes -= this.#entries.shift()?.keptBytes ?? 0;
      this.#dropped += 1;
    }
  }
}

/** An entry whose answer may still be on its way. */
export class OpenEntry {
  readonly #head: Pick<CapturedEntry, 'id' | 'at' | 'method' | 'endpoint'>;
  readonly #grown: () => void;
  readonly #request = new BodyNote();
  readonly #answer = new BodyNote();
  #status: number | undefined;

  constructor(head: Pick<CapturedEntry, 'id' | 'at' | 'method' | 'endpoint'>, grown: () => void) {
    this.#head = head;
    this.#grown = grown;
  }

  get keptBytes(): number {
    return this.#request.keptBytes + this.#answer.keptBytes;
  }

  noteRequest(part: string | Buffer): void {
    this.#request.add(part);
    this.#grown();
  }

  /** Counts bytes of a request that are no text, or too many. */
  noteUnseen(bytes: number): void {
    this.#request.skip(bytes);
  }

  /** An outlet that notes what goes through it. */
  tapping(outlet: Outlet): Outlet {
    return new TappedOutlet(outlet, {
      head: ({ status }) => {
        this.#status = status;
      },
      part: (part, isText) => {
        if (isText) this.#answer.add(part);
        else this.#answer.skip(Buffer.byteLength(part));
        this.#grown();
      },
    });
  }

  seen(): CapturedEntry {
    return {
      ...this.#head,
      status: this.#status,
      request: this.#request.seen(),
      answer: this.#answer.seen(),
    };
  }
}

/** The beginning of a body, and its length. */
class BodyNote {
  readonly #parts: Buffer[] = [];
  #kept = 0;
  #bytes = 0;
  #isText = false;

  get keptBytes(): number {
    return this.#kept;
  }

  add(part: string | Buffer): void {
    const bytes = Buffer.from(part);
    const kept = bytes.subarray(0, MAX_BODY_BYTES - this.#kept);
    this.#isText = true;
    this.#bytes += bytes.length;
    this.#kept += kept.length;
    if (kept.length > 0) this.#parts.push(Buffer.from(kept));
  }

  skip(bytes: number): void {
    this.#bytes += bytes;
  }

  seen(): CapturedBody {
    const text = this.#isText ? Buffer.concat(this.#parts).toString() : undefined;
    return { text, bytes: this.#bytes, isCut: this.#bytes > this.#kept };
  }
}

interface Tap {
  head(head: { readonly status: number }): void;
  part(part: string | Buffer, isText: boolean): void;
}

const TEXT_TYPE = /^content-type: (?:text\/|application\/json)/im;

/** Passes everything on, and reports it. */
class TappedOutlet implements Outlet {
  readonly #outlet: Outlet;
  readonly #tap: Tap;

  constructor(outlet: Outlet, tap: Tap) {
    this.#outlet = outlet;
    this.#tap = tap;
  }

  get isOpen(): boolean {
    return this.#outlet.isOpen;
  }

  get isGone(): boolean {
    return this.#outlet.isGone;
  }

  listen(...given: Parameters<Outlet['listen']>): void {
    this.#outlet.listen(...given);
  }

  send(head: Parameters<Outlet['send']>[0], body: string | Buffer): void {
    this.#tap.head(head);
    this.#tap.part(body, TEXT_TYPE.test(head.lines));
    this.#outlet.send(head, body);
  }

  open(head: Parameters<Outlet['open']>[0]): void {
    this.#tap.head(head);
    this.#outlet.open(head);
  }

  write(piece: string): boolean {
    this.#tap.part(piece, true);
    return this.#outlet.write(piece);
  }

  end(piece: string): void {
    if (piece !== '') this.#tap.part(piece, true);
    this.#outlet.end(piece);
  }

  destroy(): void {
    this.#outlet.destroy();
  }
}
