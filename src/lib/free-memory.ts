import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { ownMemory } from './own-memory.ts';

/** A port that is closed: what is moved there is freed. */
let nowhere: MessagePort | undefined;

/**
 * Frees the memory of bytes that nothing reads any more; they are empty afterwards. Does nothing if they share their memory with
 * others. The collector would have to look through the whole heap for it, after every 64 MB, on the thread of requests and
 * on all threads that V8 has to help it.
 */
export function freeMemory(bytes: Uint8Array): void {
  const memory = ownMemory(bytes);
  if (memory.length === 0) return;
  nowhere ??= closedPort();
  nowhere.postMessage(undefined, memory);
}

function closedPort(): MessagePort {
  const { port1 } = new MessageChannel();
  port1.close();
  return port1;
}
