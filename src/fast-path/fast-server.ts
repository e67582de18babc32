import type { DrainGate } from '../http/drain-gate.ts';
import type { FastConnection } from './fast-connection.ts';
import type { HotHead } from './hot-head.ts';
import type { SocketOutlet } from './socket-outlet.ts';

/** Who serves the requests of a connection. */
export interface FastServer {
  readonly drainGate: Pick<DrainGate, 'enter' | 'leave' | 'expect' | 'isClosed'>;
  /** Whether connections may read into one buffer; see `withSharedReads`. */
  readonly sharesReads: boolean;
  /** Whether a request with such a head is served here. */
  mayServe(head: HotHead): boolean;
  /** Takes memory for a body; `undefined` where there is none left. */
  hold(bodyBytes: number): Disposable | undefined;
  /** Where the answer to the next request goes. */
  open(connection: FastConnection): SocketOutlet;
  /** Serves a request; its bytes are good until it is answered. */
  serve(head: HotHead, body: Buffer, outlet: SocketOutlet, client: string): void;
  onClosed(connection: FastConnection): void;
}
