/** Why a request cannot be fulfilled; `refused` is every other reason. */
export type OperatorErrorKind = 'missing' | 'conflict' | 'stale' | 'refused';

interface OperatorErrorDetails {
  readonly kind?: OperatorErrorKind;
  /** The remedy on the command line, in words that follow the message. */
  readonly hint?: string;
}

/** An operator's request that cannot be fulfilled; the message says why and what to do instead. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly kind: OperatorErrorKind;
  /** The message without the hint for the command line. */
  readonly plainMessage: string;

  constructor(message: string, { kind = 'refused', hint }: OperatorErrorDetails = {}) {
    super(hint === undefined ? message : `${message}; ${hint}`);
    this.kind = kind;
    this.plainMessage = message;
  }
}
