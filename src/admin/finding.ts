/** The result of one check, and what to do about it. */
export interface Finding {
  readonly check: string;
  readonly result: 'ok' | 'warning' | 'failure';
  readonly message: string;
  readonly remedy?: string;
}
