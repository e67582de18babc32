/** An answer of which the last bytes are left. */
export interface EndingAnswer {
  /** Sends them. */
  leave(): void;
}

/**
 * Answers that end in one turn of the event loop. They leave together at its end, so that their usage is appended to the journal by
 * one write: a write for each was more than half of what the journal cost.
 */
export class EndingAnswers {
  #answers: EndingAnswer[] = [];

  add(answer: EndingAnswer): void {
    if (this.#answers.push(answer) === 1) setImmediate(this.#leave);
  }

  readonly #leave = (): void => {
    const answers = this.#answers;
    this.#answers = [];
    for (const answer of answers) answer.leave();
  };
}
