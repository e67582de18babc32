import type { CandidateRanker, RankedCandidate, RankOrder } from '../../src/text/candidate-ranker.ts';

/** Prefers the given candidates, in order, and records its questions. */
export class FakeRanker implements CandidateRanker {
  readonly asked: RankOrder[] = [];
  readonly #preferred: readonly string[];

  constructor(...preferred: readonly string[]) {
    this.#preferred = preferred;
  }

  async rank(order: RankOrder, signal: AbortSignal): Promise<readonly RankedCandidate[]> {
    signal.throwIfAborted();
    this.asked.push(order);
    return order.candidates
      .map((text, index) => ({ index, logProbability: this.#logProbability(text.trim()) }))
      .sort((one, other) => other.logProbability - one.logProbability)
      .slice(0, order.k);
  }

  #logProbability(text: string): number {
    const place = this.#preferred.indexOf(text);
    return place < 0 ? -20 : -1 - place;
  }
}
