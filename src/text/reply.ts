import type { Block, FinishReason, TextEvent, Usage } from './text-event.ts';

/** A whole answer. */
export interface Reply {
  readonly blocks: readonly ReplyBlock[];
  readonly reason: FinishReason;
  readonly stopSequence: string | undefined;
  readonly usage: Usage;
  /** The model of an engine that stood in; absent where the stack's own answered. */
  readonly standIn?: string | undefined;
}

/** A block with all of its text. */
export interface ReplyBlock {
  readonly block: Block;
  readonly text: string;
}

/** Makes the whole answer from a stream of events, so that engines only need to stream. */
export async function collectReply(batches: AsyncIterable<readonly TextEvent[]>): Promise<Reply> {
  const collector = new ReplyCollector();
  for await (const batch of batches) {
    for (const event of batch) collector.add(event);
  }
  return collector.reply();
}

/** Puts events together to the whole answer. */
export class ReplyCollector {
  readonly #blocks: ReplyBlock[] = [];
  #open: Block | undefined;
  #text = '';
  #standIn: string | undefined;
  #reply: Reply | undefined;

  add(event: TextEvent): void {
    switch (event.type) {
      case 'start':
        this.#standIn = event.standIn;
        break;
      case 'block-start':
        this.#open = event.block;
        this.#text = '';
        break;
      case 'block-delta':
        this.#text += event.text;
        break;
      case 'block-end':
        if (this.#open !== undefined) this.#blocks.push({ block: this.#open, text: this.#text });
        this.#open = undefined;
        break;
      case 'finish':
        this.#reply = {
          blocks: this.#blocks,
          reason: event.reason,
          stopSequence: event.stopSequence,
          usage: event.usage,
          standIn: this.#standIn,
        };
        break;
    }
  }

  reply(): Reply {
    if (this.#reply === undefined) throw new Error('the engine ended without a finish event');
    return this.#reply;
  }
}
