import type { Exchange } from './exchange.ts';

/** A whole answer. */
export interface Answer {
  readonly status?: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body: string | Buffer;
}

/** An answer that is JSON. */
export function jsonAnswer(value: unknown): Answer {
  return { contentType: 'application/json', body: JSON.stringify(value) };
}

/** An answer that sends itself, piece by piece or once it is complete. */
export interface Delivery {
  /** Begins to send. The exchange is settled in every case. */
  deliver(exchange: Exchange): void;
}
