import type { IncomingMessage, ServerResponse } from 'node:http';
import { freeMemory } from '../lib/free-memory.ts';
import { type BodyTurns, BYTES_PER_TURN } from './body-turns.ts';

// Node reads a small rest itself and keeps the connection.
const SMALL_REST_BYTES = 256 * 1024;
const LINGER_BYTES = 64 * 1024 * 1024;

/** How the unread rest of a request's body is dropped after the answer. */
export interface Lingering {
  /** How long the rest may take. */
  readonly lingerMs: number;
  readonly turns: Pick<BodyTurns, 'take'>;
}

/** Whether a large part of the request's body may still arrive. */
export function hasUnreadBody(request: IncomingMessage): boolean {
  if (request.complete || request.method === 'GET' || request.method === 'HEAD') return false;
  if (request.headers['transfer-encoding'] !== undefined) return true;
  return Number(request.headers['content-length'] ?? 0) > SMALL_REST_BYTES;
}

/**
 * Sends an answer to a client that is still sending. Closing at once would reset the connection, and many clients
 * would never see the answer; so the rest is read and dropped for a short time before the close.
 */
export function endAfterUnreadBody(
  { request, response }: { readonly request: IncomingMessage; readonly response: ServerResponse },
  body: string | Buffer,
  { lingerMs, turns }: Lingering,
): void {
  // The head has the length, so this write completes the answer for the client.
  response.write(body);
  // Its stack may be unknown.
  const whose = `refused ${request.socket.remoteAddress}`;
  let droppedBytes = 0;
  let turnBytes = 0;
  const finish = () => {
    clearTimeout(timer);
    request.off('data', drop);
    response.end();
  };
  const drop = (chunk: Buffer) => {
    droppedBytes += chunk.length;
    turnBytes += chunk.length;
    freeMemory(chunk);
    if (droppedBytes > LINGER_BYTES) finish();
    else if (turnBytes >= BYTES_PER_TURN) yieldTurn();
  };
  const yieldTurn = () => {
    const turn = turns.take(whose, turnBytes);
    turnBytes = 0;
    if (turn === undefined) return;
    request.pause();
    void turn.then(() => request.resume());
  };
  const timer = setTimeout(finish, lingerMs);
  request.on('data', drop).once('end', finish).once('close', finish).once('error', finish);
}

/** Closes the connection of an answered request if its body is not complete after `lingerMs`. */
export function closeUnlessComplete(request: IncomingMessage, lingerMs: number): void {
  if (request.complete || request.socket.destroyed) return;
  const close = () => {
    if (!request.complete) request.socket.destroy();
  };
  setTimeout(close, lingerMs).unref();
}
