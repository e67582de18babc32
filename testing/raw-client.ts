import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A raw response. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A client that writes bytes and reads responses. It keeps its side open when the server closes. */
export class RawClient implements AsyncDisposable {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #ended = false;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk) => {
      this.#received = Buffer.concat([this.#received, chunk]);
    });
    // A reset is one way in which a server may close; what was received before counts.
    socket.on('error', () => {});
    const end = () => {
      this.#ended = true;
    };
    socket.once('end', end).once('close', end);
  }

  static async connect(port: number): Promise<RawClient> {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    return new RawClient(socket);
  }

  /** Whether the server has closed its side. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Received bytes after the last parsed response. */
  get unread(): string {
    return this.#received.toString('latin1');
  }

  /** Resolves when the bytes are handed to the system, or the connection is gone. */
  async send(data: string | Buffer): Promise<void> {
    if (this.#socket.destroyed) return;
    await new Promise<void>((resolve) => this.#socket.write(data, () => resolve()));
  }

  /** Reads the next response; one to HEAD has a length but no body. */
  async answer({ bodyless = false } = {}): Promise<RawAnswer> {
    for (;;) {
      const answer = this.#takeAnswer(bodyless);
      if (answer !== undefined) return answer;
      if (this.#ended) throw new Error(`the connection ended, with ${JSON.stringify(this.unread)} unread`);
      await this.#news();
    }
  }

  /** Resolves when the server has closed its side. */
  async closed(): Promise<void> {
    while (!this.#ended) await this.#news();
  }

  /** Closes this side only. */
  end(): void {
    this.#socket.end();
  }

  /** Disconnects at once, with a reset. */
  reset(): void {
    this.#socket.resetAndDestroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.destroy();
  }

  #takeAnswer(bodyless: boolean): RawAnswer | undefined {
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd === -1) return undefined;
    const [statusLine = '', ...lines] = this.#received.toString('latin1', 0, headEnd).split('\r\n');
    const headers = Object.fromEntries(lines.map(headerOf));
    const status = Number(statusLine.split(' ')[1]);
    if (headers['transfer-encoding'] === 'chunked' && !bodyless)
      return this.#takeChunks(status, headers, headEnd + 4);
    const length = bodyless || status < 200 ? 0 : Number(headers['content-length'] ?? 0);
    const end = headEnd + 4 + length;
    if (this.#received.length < end) return undefined;
    const body = this.#received.toString('utf8', headEnd + 4, end);
    this.#received = this.#received.subarray(end);
    return { status, headers, body };
  }

  #takeChunks(status: number, headers: RawAnswer['headers'], from: number): RawAnswer | undefined {
    const pieces: Buffer[] = [];
    for (let at = from; ; ) {
      const lineEnd = this.#received.indexOf('\r\n', at);
      if (lineEnd === -1) return undefined;
      const size = Number.parseInt(this.#received.toString('latin1', at, lineEnd), 16);
      const start = lineEnd + 2;
      at = start + size + 2;
      if (this.#received.length < at) return undefined;
      pieces.push(this.#received.subarray(start, start + size));
      if (size > 0) continue;
      this.#received = this.#received.subarray(at);
      return { status, headers, body: Buffer.concat(pieces).toString() };
    }
  }

  async #news(): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.#socket.off('data', wake).off('end', wake).off('close', wake);
        resolve();
      };
      this.#socket.on('data', wake).on('end', wake).on('close', wake);
    });
  }
}

function headerOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}
