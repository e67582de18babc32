import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { freeMemory } from './free-memory.ts';
import { ownMemory } from './own-memory.ts';

/** Parked bytes on their way to another thread. */
export interface ParkedPort {
  readonly port: MessagePort;
  readonly sizeBytes: number;
}

/**
 * Bytes that arrive on this thread and are read on another: each piece waits in a port as a message that was not received. V8
 * does not count it for any thread meanwhile, as it does buffers: for each 64 MB of them it would look through the whole heap,
 * in the middle of other requests. They must be freed.
 */
export class ParkedBytes {
  readonly #channel = new MessageChannel();
  #sizeBytes = 0;

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Moves a piece here; one whose memory others may read is copied. */
  add(piece: Buffer): void {
    this.#sizeBytes += piece.length;
    const [moved = new Uint8Array(piece).buffer] = ownMemory(piece);
    this.#channel.port1.postMessage(moved, [moved]);
  }

  /** For the thread that `unpark`s the bytes; the port moves there. */
  get port(): ParkedPort {
    return { port: this.#channel.port2, sizeBytes: this.#sizeBytes };
  }

  /** Frees what was not received. */
  free(): void {
    this.#channel.port1.close();
    this.#channel.port2.close();
  }
}

/** Puts parked bytes together, on the thread that has their port. */
export function unpark({ port, sizeBytes }: ParkedPort): Buffer {
  const whole = Buffer.allocUnsafeSlow(sizeBytes);
  let at = 0;
  for (let received = receiveMessageOnPort(port); received; received = receiveMessageOnPort(port)) {
    const piece = new Uint8Array(received.message as ArrayBuffer);
    whole.set(piece, at);
    at += piece.length;
    freeMemory(piece);
  }
  port.close();
  if (at !== sizeBytes) throw new Error(`${at} of ${sizeBytes} parked bytes were there`);
  return whole;
}
