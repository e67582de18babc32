import type { Socket } from 'node:net';

/** How many connections without a place may be open, in all. */
export const MAX_REFUSED_CONNECTIONS = 1_000;

export interface RefusedConnectionsOptions {
  /** How long each waits until it is told. */
  readonly waitMs: number;
  /** Says why there is no place, and ends the connection. */
  readonly tell: (socket: Socket) => void;
}

/**
 * Connections for which there is no place. They are told so after a wait in which they cost nothing: a client that is refused connects
 * again, and accepting it costs more than refusing it.
 */
export class RefusedConnections {
  readonly #options: RefusedConnectionsOptions;
  #open = 0;

  constructor(options: RefusedConnectionsOptions) {
    this.#options = options;
  }

  /** Takes a new connection; where too many wait already it is closed without a word. */
  add(socket: Socket): void {
    if (this.#open >= MAX_REFUSED_CONNECTIONS) {
      socket.destroy();
      return;
    }
    this.#open++;
    const wait = setTimeout(() => {
      // What its client has sent is read and dropped, so that the answer is not lost in a reset.
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
