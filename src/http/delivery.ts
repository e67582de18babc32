import type { Exchange } from './exchange.ts';

/** An answer that sends itself, piece by piece or once it is complete. */
export interface Delivery {
  /** Begins; whatever becomes of it, the exchange is settled in the end. */
  deliver(exchange: Exchange): void;
}
