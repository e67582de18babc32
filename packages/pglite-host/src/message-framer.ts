import { WireProtocolError } from './wire-messages.ts';

/** Largest message accepted; a larger one is an error or an attack. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
const MAX_STARTUP_BYTES = 10_000;
const STARTUP_MAJOR_VERSION = 3;

/** Requests that open a connection; they have no type byte. */
export const startupCode = { cancel: 80_877_102, tls: 80_877_103, gssEncryption: 80_877_104 } as const;

/** One complete message. Messages up to the start-up packet are marked: they have no type byte. */
export interface FramedMessage {
  readonly isStartup: boolean;
  readonly bytes: Buffer;
}

/** Splits a byte stream into messages of the PostgreSQL protocol. */
export class MessageFramer {
  #chunks: Buffer[] = [];
  #bufferedBytes = 0;
  #neededBytes = 0;
  #expectsStartup: boolean;

  constructor(first: 'startup' | 'messages') {
    this.#expectsStartup = first === 'startup';
  }

  /** Adds bytes and returns the messages that are complete now. */
  push(chunk: Buffer): readonly FramedMessage[] {
    this.#chunks.push(chunk);
    this.#bufferedBytes += chunk.length;
    if (this.#bufferedBytes < this.#neededBytes) return [];
    let rest = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks);
    const messages: FramedMessage[] = [];
    for (;;) {
      const size = this.#sizeOfFirst(rest);
      this.#neededBytes = size ?? 0;
      if (size === undefined || rest.length < size) break;
      messages.push(this.#frame(rest.subarray(0, size)));
      rest = rest.subarray(size);
    }
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#bufferedBytes = rest.length;
    return messages;
  }

  #sizeOfFirst(bytes: Buffer): number | undefined {
    const typeBytes = this.#expectsStartup ? 0 : 1;
    if (bytes.length < typeBytes + 4) return undefined;
    const length = bytes.readInt32BE(typeBytes);
    const [least, most] = this.#expectsStartup ? [8, MAX_STARTUP_BYTES] : [4, MAX_MESSAGE_BYTES];
    if (length < least || length > most) throw new WireProtocolError(`a message claims ${length} bytes`);
    return typeBytes + length;
  }

  #frame(bytes: Buffer): FramedMessage {
    const isStartup = this.#expectsStartup;
    if (isStartup && bytes.readUInt16BE(4) === STARTUP_MAJOR_VERSION) this.#expectsStartup = false;
    return { isStartup, bytes };
  }
}
