/** The embedded database cannot answer now; the code is the one a refused or cut network connection would have. */
export class DatabaseAway extends Error {
  readonly code: 'ECONNREFUSED' | 'ECONNRESET';

  constructor(code: 'ECONNREFUSED' | 'ECONNRESET', reason: string) {
    super(`the embedded database is away: ${reason}`);
    this.name = 'DatabaseAway';
    this.code = code;
  }
}
