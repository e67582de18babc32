/** The unit of a ceiling: tokens per day, requests per minute, concurrent requests, or millionths of money per month. */
export type LimitKind = 'tokens' | 'requests' | 'places' | 'money';

/** One ceiling of a stack, of one of its keys, or of an account, whose id stands after `@` in place of a stack's. */
export interface LimitSubject {
  readonly kind: LimitKind;
  readonly stackId: string;
  /** Absent: all keys of the stack together. */
  readonly keyId?: string;
  /** The UTC day of a token budget, such as `2026-11-16`, or the first of a money budget's month. */
  readonly day?: string;
}
