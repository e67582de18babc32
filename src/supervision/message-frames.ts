import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

const headerBytes = 4;
const maxMessageBytes = 256 * 2 ** 20;

/**
 * Length-prefixed structured clones over a pipe. Node's IPC channel is not used: a stray byte on it, written by native code, is
 * an uncaught exception in the parent, and its messages are unbounded.
 */
export function writeMessage(pipe: Socket, message: unknown): void {
  const body = serialize(message);
  if (body.length > maxMessageBytes) throw new RangeError(`a message has at most ${maxMessageBytes} bytes`);
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(body.length);
  pipe.cork();
  pipe.write(header);
  pipe.write(body);
  pipe.uncork();
}

/** Calls back with each message; after invalid bytes, once with the error and never again. */
export function readMessages(pipe: Socket, receive: (message: unknown) => void): void {
  const frames = new FrameReader();
  const decode = (chunk: Buffer): readonly unknown[] => {
    try {
      return [...frames.take(chunk)].map((frame) => deserialize(frame));
    } catch (error) {
      pipe.off('data', onData);
      pipe.resume();
      return [error];
    }
  };
  const onData = (chunk: Buffer) => decode(chunk).forEach(receive);
  pipe.on('data', onData);
}

class FrameReader {
  #chunks: Buffer[] = [];
  #size = 0;

  *take(chunk: Buffer): Generator<Buffer> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    for (let length = this.#frameLength(); length !== undefined; length = this.#frameLength()) {
      if (this.#size < headerBytes + length) return;
      const all = this.#joined();
      const end = headerBytes + length;
      this.#chunks = [all.subarray(end)];
      this.#size -= end;
      yield all.subarray(headerBytes, end);
    }
  }

  #frameLength(): number | undefined {
    if (this.#size < headerBytes) return undefined;
    const [first] = this.#chunks;
    const header = first && first.length >= headerBytes ? first : this.#joined();
    const length = header.readUInt32BE(0);
    if (length > maxMessageBytes) throw new RangeError(`a message of ${length} bytes is no message`);
    return length;
  }

  #joined(): Buffer {
    const [first] = this.#chunks;
    const all = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
    this.#chunks = [all];
    return all;
  }
}
