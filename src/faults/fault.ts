import { type FaultCode, type FaultStatus, faultRow } from './fault-table.ts';

interface FaultDetails {
  /** The request field at fault, if any. */
  readonly param?: string;
  readonly retryAfterSeconds?: number;
  /** Additional response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Additional members of the body, for families that support them. */
  readonly bodyMembers?: Readonly<Record<string, unknown>>;
  /** The real reason; logged, never shown. */
  readonly cause?: unknown;
}

/** A foreseen failure. Its message is safe to show to a client; its cause is not. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyMembers: Readonly<Record<string, unknown>>;

  constructor(code: FaultCode, message: string, details: FaultDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.param = details.param;
    this.headers = details.headers ?? {};
    this.bodyMembers = details.bodyMembers ?? {};
    this.retryAfterSeconds = retryAfter(details.retryAfterSeconds ?? faultRow(code).retryAfterSeconds);
  }

  get status(): FaultStatus {
    return faultRow(this.code).status;
  }

  get wireCode(): string | undefined {
    return faultRow(this.code).wireCode;
  }
}

/** Turns anything thrown into a Fault; unforeseen errors become `internal` without details. */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  return new Fault('internal', 'The gateway met an internal error.', { cause: thrown });
}

// Common SDKs ignore 0 and values of 60 or more, and then retry at once.
function retryAfter(seconds: number | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  return Math.min(59, Math.max(1, Math.ceil(seconds)));
}
