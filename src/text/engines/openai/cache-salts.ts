/**
 * Remembers whether a server accepts a cache salt: prompts share its prefix cache only if they have the same salt. A server
 * that refuses the field by name is asked again without it; that is remembered once it has helped.
 */
export class CacheSalts {
  #isRefused = false;

  get isRefused(): boolean {
    return this.#isRefused;
  }

  isNamedIn(refusal: string): boolean {
    return refusal.includes('cache_salt');
  }

  /** The same request was accepted without the salt. Not earlier: a refusal may quote the client's text. */
  learnRefusal(): void {
    this.#isRefused = true;
  }
}
