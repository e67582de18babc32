/** The unit of a ceiling: tokens per day, requests per minute, or concurrent requests. */
export type LimitKind = 'tokens' | 'requests' | 'places';

/** One ceiling of a stack or of one of its keys. */
export interface LimitSubject {
  readonly kind: LimitKind;
  readonly stackId: string;
  /** Absent: all keys of the stack together. */
  readonly keyId?: string;
  /** The UTC day of a token budget, such as `2026-11-16`. */
  readonly day?: string;
}
