/** A transfer broke off or was turned away for now; the same request may succeed later. */
export class TransferInterrupted extends Error {
  override readonly name = 'TransferInterrupted';
  /** How long the server asked to wait. */
  readonly retryAfterMs: number;

  constructor(message: string, details: { readonly retryAfterMs?: number; readonly cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.retryAfterMs = details.retryAfterMs ?? 0;
  }
}
