import type { Exchange } from './exchange.ts';

/** An answer that sends itself, piece by piece or once it is complete. */
export interface Delivery {
  /** Begins to send. The exchange is settled in every case. */
  deliver(exchange: Exchange): void;
}
