/**
 * Whether a server says in every chunk how many tokens there are so far, if it is asked to: then the first chunk tells the
 * prompt's, and nobody has to count them beside the call. Learned from its answers.
 */
export class RunningUsage {
  #state: 'unknown' | 'told' | 'refused' = 'unknown';

  /** Whether the last answer told it from its first chunk on. */
  get isTold(): boolean {
    return this.#state === 'told';
  }

  /** Whether the last answer, or a refusal, showed that asking is in vain. */
  get isRefused(): boolean {
    return this.#state === 'refused';
  }

  learn(isTold: boolean): void {
    this.#state = isTold ? 'told' : 'refused';
  }

  /** Whether a server that answered this does not know what it was asked for; it is remembered. */
  isRefusedBy(refusal: string): boolean {
    const isRefused = refusal.includes('continuous_usage_stats');
    if (isRefused) this.#state = 'refused';
    return isRefused;
  }
}
