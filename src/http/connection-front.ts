import type { Socket } from 'node:net';

/** Sees every connection before Node's server does, and serves on it what it can. */
export interface ConnectionFront {
  /**
   * Takes a new connection; `giveAway` hands it to Node's server as a socket, with every byte that is unshifted onto it.
   * Returns the socket that the connection is from now on, whoever serves it.
   */
  accept(socket: Socket, giveAway: (socket: Socket) => void): Socket;
  /** Closes connections on which nothing is being served. */
  closeIdle(): void;
  closeAll(): void;
}
