/** A transfer broke off or was refused for now; a retry may succeed. */
export class TransferInterrupted extends Error {
  override readonly name = 'TransferInterrupted';
  /** The server's Retry-After. */
  readonly retryAfterMs: number;

  constructor(message: string, details: { readonly retryAfterMs?: number; readonly cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.retryAfterMs = details.retryAfterMs ?? 0;
  }
}
