import type { Conversation } from '../../conversation.ts';

/**
 * Ids of the tool calls of one answer: the server's, unless it is missing or already used. Some servers count from 0 in
 * every answer, and clients such as Claude Code drop a call whose id they have seen.
 */
export class CallIds {
  readonly #conversation: Conversation;
  readonly #newId: () => string;
  #taken: Set<string> | undefined;

  constructor(conversation: Conversation, newId: () => string) {
    this.#conversation = conversation;
    this.#newId = newId;
  }

  /** Returns the id of the next call; `given` is the server's. */
  take(given: string | undefined): string {
    // Not earlier: most answers call nothing.
    this.#taken ??= earlierIds(this.#conversation);
    const id = given === undefined || given === '' || this.#taken.has(given) ? this.#newId() : given;
    this.#taken.add(id);
    return id;
  }
}

function earlierIds({ turns }: Conversation): Set<string> {
  const calls = turns.flatMap((turn) => (turn.role === 'assistant' ? turn.toolCalls : []));
  return new Set(calls.map(({ id }) => id));
}
