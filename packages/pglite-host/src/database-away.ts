/** Thrown while the embedded database is unavailable, with the code of a refused or reset network connection. */
export class DatabaseAway extends Error {
  readonly code: 'ECONNREFUSED' | 'ECONNRESET';

  constructor(code: 'ECONNREFUSED' | 'ECONNRESET', reason: string) {
    super(`the embedded database is away: ${reason}`);
    this.name = 'DatabaseAway';
    this.code = code;
  }
}
