import type { DrainGate } from '../http/drain-gate.ts';
import type { FastConnection } from './fast-connection.ts';
import type { HotHead } from './hot-head.ts';
import type { SocketOutlet } from './socket-outlet.ts';

/** How long a connection may wait. */
export interface ConnectionWaits {
  /** For the first byte of its first request. */
  readonly silentMs: number;
  /** For the rest of a request. */
  readonly arrivalMs: number;
  /** For another request. */
  readonly keepAliveMs: number;
}

/** Serves the requests of fast-path connections. */
export interface FastServer {
  readonly drainGate: Pick<DrainGate, 'enter' | 'leave' | 'expect' | 'isClosed'>;
  /** Whether connections share one read buffer; see `withSharedReads`. */
  readonly sharesReads: boolean;
  /** Whether the fast path serves a request with this head. */
  mayServe(head: HotHead): boolean;
  /** Reserves memory for a body; `undefined` if none is left. */
  hold(bodyBytes: number): Disposable | undefined;
  /** Opens the outlet for the next answer. */
  open(connection: FastConnection): SocketOutlet;
  /** Serves a request; `body` is valid until it is answered. */
  serve(head: HotHead, body: Buffer, outlet: SocketOutlet, client: string): void;
  onClosed(connection: FastConnection): void;
}
