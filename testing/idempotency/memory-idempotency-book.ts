import { randomUUID } from 'node:crypto';
import type {
  ClaimResult,
  IdempotencyBook,
  NamedRequest,
  RequestClaim,
} from '../../src/idempotency/idempotency-book.ts';

interface KnownRequest extends NamedRequest {
  holder: string | undefined;
  sealed: Uint8Array | undefined;
}

/** Requests with an Idempotency-Key in memory. Leases end only when a test ends them. */
export class MemoryIdempotencyBook implements IdempotencyBook {
  readonly #known = new Map<string, KnownRequest>();
  /** Claims that found the request running. */
  waits = 0;

  /** The sealed answers. */
  get kept(): readonly Uint8Array[] {
    return [...this.#known.values()].flatMap(({ sealed }) => sealed ?? []);
  }

  async claim(request: NamedRequest): Promise<ClaimResult> {
    const known = this.#known.get(request.id);
    if (known?.sealed !== undefined)
      return { state: 'kept', fingerprint: known.fingerprint, sealed: known.sealed };
    if (known?.holder !== undefined) {
      this.waits += 1;
      return { state: 'running', fingerprint: known.fingerprint };
    }
    const holder = randomUUID();
    this.#known.set(request.id, { ...request, holder, sealed: undefined });
    return { state: 'claimed', claim: { id: request.id, holder } };
  }

  async renew(): Promise<void> {}

  async keep({ id, holder }: RequestClaim, sealed: Uint8Array): Promise<void> {
    const known = this.#known.get(id);
    if (known?.holder === holder) this.#known.set(id, { ...known, holder: undefined, sealed });
  }

  async release({ id, holder }: RequestClaim): Promise<void> {
    if (this.#known.get(id)?.holder === holder) this.#known.delete(id);
  }

  /** Ends all leases, as if their processes had died. */
  endLeases(): void {
    for (const known of this.#known.values()) known.holder = undefined;
  }
}
