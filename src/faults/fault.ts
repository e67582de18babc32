import { type FaultCode, type FaultStatus, faultRow } from './fault-table.ts';

interface FaultDetails {
  /** The request field at fault, where there is one. */
  readonly param?: string;
  readonly retryAfterSeconds?: number;
  /** More response headers, such as `Allow`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** More members of the body, for families whose body has room for them. */
  readonly bodyMembers?: Readonly<Record<string, unknown>>;
  /** What really happened; logged, never shown. */
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

/** Turns whatever was thrown into a Fault; the unforeseen becomes `internal` and says nothing. */
export function toFault(thrown: unknown): Fault {
  if (thrown instanceof Fault) return thrown;
  return new Fault('internal', 'The gateway met an internal error.', { cause: thrown });
}

// Clients ignore 0 and anything from 60 up, and then retry at once: WIRE facts of the common SDKs.
function retryAfter(seconds: number | undefined): number | undefined {
  if (seconds === undefined) return undefined;
  return Math.min(59, Math.max(1, Math.ceil(seconds)));
}
