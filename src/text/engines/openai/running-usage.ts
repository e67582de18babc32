/**
 * Remembers whether a server can send the usage so far in every chunk. Then its first chunk has the number of prompt tokens,
 * and the gateway need not count them itself.
 */
export class RunningUsage {
  #state: 'unknown' | 'told' | 'refused' = 'unknown';

  /** Whether the last answer had usage in its first chunk. */
  get isTold(): boolean {
    return this.#state === 'told';
  }

  /** Whether the last answer had none, or a server refused the option. */
  get isRefused(): boolean {
    return this.#state === 'refused';
  }

  learn(isTold: boolean): void {
    this.#state = isTold ? 'told' : 'refused';
  }
}
