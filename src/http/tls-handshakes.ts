import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';

/** Longer than a slow client needs, and short for one that sends nothing. */
const HANDSHAKE_MS = 10_000;

/** Connections that are being secured. */
export class TlsHandshakes {
  readonly #context: () => SecureContext;
  readonly #open = new Set<TLSSocket>();

  constructor(context: () => SecureContext) {
    this.#context = context;
  }

  /** Secures a connection, and hands it on once that is done; a client that fails or is too slow is cut. */
  secure(accepted: Socket, onSecure: (socket: TLSSocket) => void): TLSSocket {
    const socket = new TLSSocket(accepted, {
      isServer: true,
      secureContext: this.#context(),
      ALPNProtocols: ['http/1.1'],
    });
    this.#open.add(socket);
    const timer = setTimeout(() => socket.destroy(), HANDSHAKE_MS).unref();
    const onError = () => socket.destroy();
    socket.on('error', onError);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#open.delete(socket);
    });
    socket.once('secure', () => {
      clearTimeout(timer);
      this.#open.delete(socket);
      socket.off('error', onError);
      onSecure(socket);
    });
    return socket;
  }

  closeAll(): void {
    for (const socket of [...this.#open]) socket.destroy();
  }
}
