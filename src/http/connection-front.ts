import type { Socket } from 'node:net';

/** Gets every connection before Node's server, and serves the requests that it can. */
export interface ConnectionFront {
  /**
   * Takes a new connection; `giveAway` hands it to Node's server as a socket, with every byte that is unshifted onto it.
   * Returns the connection's socket from now on, also for a connection that is given away later.
   */
  accept(socket: Socket, giveAway: (socket: Socket) => void): Socket;
  /** Closes connections on which nothing is being served. */
  closeIdle(): void;
  closeAll(): void;
}
