/**
 * Whether a server takes a salt for its prefix cache, with which prompts share what was read only among those of the same salt.
 * One that refuses the field by its name is asked without; it is remembered once that helped.
 */
export class CacheSalts {
  #isRefused = false;

  get isRefused(): boolean {
    return this.#isRefused;
  }

  isNamedIn(refusal: string): boolean {
    return refusal.includes('cache_salt');
  }

  /** The same request was taken without it. Not before: a refusal may repeat what a client wrote. */
  learnRefusal(): void {
    this.#isRefused = true;
  }
}
