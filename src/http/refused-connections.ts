import type { Socket } from 'node:net';

/** The most open connections without a slot. */
export const MAX_REFUSED_CONNECTIONS = 1_000;

export interface RefusedConnectionsOptions {
  /** How long each waits for its refusal. */
  readonly waitMs: number;
  /** Sends the refusal and ends the connection. */
  readonly tell: (socket: Socket) => void;
}

/**
 * Connections without a slot. They are refused after a wait, which costs nothing: a refused client connects again, and
 * accepting a connection costs more than refusing it.
 */
export class RefusedConnections {
  readonly #options: RefusedConnectionsOptions;
  #open = 0;

  constructor(options: RefusedConnectionsOptions) {
    this.#options = options;
  }

  /** Takes a new connection; closes it without an answer if too many wait already. */
  add(socket: Socket): void {
    if (this.#open >= MAX_REFUSED_CONNECTIONS) {
      socket.destroy();
      return;
    }
    this.#open++;
    const wait = setTimeout(() => {
      // Read and drop the client's bytes: unread, they would reset the connection, and the answer would be lost.
      socket.resume();
      this.#options.tell(socket);
    }, this.#options.waitMs).unref();
    socket
      .on('error', () => socket.destroy())
      .once('close', () => {
        clearTimeout(wait);
        this.#open--;
      });
  }
}
