import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';

/** Status and headers. */
interface CallHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** A complete answer. */
export interface CallAnswer extends CallHead {
  readonly body: string;
}

interface CallTarget {
  readonly port: number;
  readonly path: string;
  readonly key: string;
  /** Sent as JSON unless it is a string. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One POST by a client that may read slowly, stop reading, or disconnect. */
export class TextCall {
  /** Rejects if the connection ends before it. */
  readonly head: Promise<CallHead>;
  /** Whether the connection ended after a complete body. */
  readonly ended: Promise<'whole' | 'cut'>;
  readonly #request: ClientRequest;
  readonly #news = new Set<() => void>();
  #response: IncomingMessage | undefined;
  #received = '';
  #isOver = false;

  constructor({ port, path, key, body, headers = {} }: CallTarget) {
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    this.#request = request({
      port,
      path,
      host: '127.0.0.1',
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': bytes.length,
        ...headers,
      },
    });
    this.head = new Promise((resolve, reject) => {
      this.#request.once('response', (response) => {
        this.#read(response);
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      });
      this.#request.once('close', () => reject(new Error('the connection ended before an answer')));
    });
    this.head.catch(() => undefined);
    this.ended = new Promise((resolve) => {
      this.#request.once('close', () => {
        this.#isOver = true;
        this.#tell();
        resolve(this.#response?.complete === true ? 'whole' : 'cut');
      });
    });
    // `ended` reports a reset.
    this.#request.on('error', () => undefined).end(bytes);
  }

  /** The body so far. */
  get received(): string {
    return this.#received;
  }

  /** Resolves when the body so far matches; rejects if it ended and does not. */
  async until(isWanted: (received: string) => boolean): Promise<void> {
    while (!isWanted(this.#received)) {
      if (this.#isOver) throw new Error(`the answer ended: ${JSON.stringify(this.#received)}`);
      await new Promise<void>((resolve) => this.#news.add(resolve));
    }
  }

  /** The whole answer. */
  async answer(): Promise<CallAnswer> {
    const head = await this.head;
    const end = await this.ended;
    if (end === 'cut') throw new Error(`the answer was cut: ${JSON.stringify(this.#received)}`);
    return { ...head, body: this.#received };
  }

  /** Pauses reading. */
  stall(): void {
    this.#response?.pause();
  }

  readOn(): void {
    this.#response?.resume();
  }

  /** Closes the connection. */
  leave(): void {
    this.#request.destroy();
  }

  #read(response: IncomingMessage): void {
    this.#response = response;
    response.setEncoding('utf8').on('data', (text: string) => {
      this.#received += text;
      this.#tell();
    });
    response.on('error', () => undefined);
  }

  #tell(): void {
    const waiting = [...this.#news];
    this.#news.clear();
    for (const wake of waiting) wake();
  }
}
