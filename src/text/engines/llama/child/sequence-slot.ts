import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LlamaContext, LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp';

/** Tokens per evaluation; an abort takes effect after at most one batch. */
export const BATCH_TOKENS = 256;
/** Smaller contexts save no memory worth mentioning. */
const LEAST_CONTEXT_TOKENS = 2_048;

/** Settings shared by all slots. */
export interface SlotSetup {
  readonly model: LlamaModel;
  /** An adapter for every context. */
  readonly lora?: string | undefined;
  readonly threads: number;
  readonly contextWindow: number;
  /** Holds the state of a conversation while it moves to a larger context. */
  readonly folder: string;
}

/**
 * Holds one conversation at a time. Its context is created on demand, only as large as needed, and keeps the tokens read, so
 * that the next turn reads only new ones.
 */
export class SequenceSlot {
  readonly #setup: SlotSetup;
  #context: LlamaContext | undefined;
  #sequence: LlamaContextSequence | undefined;

  constructor(setup: SlotSetup) {
    this.#setup = setup;
  }

  get hasContext(): boolean {
    return this.#context !== undefined;
  }

  /** Tokens that fit in the context. One cell stays free, or the binding would drop the oldest tokens. */
  get capacity(): number {
    return this.#context === undefined ? 0 : this.#context.contextSize - 1;
  }

  /** The number of leading tokens that are already read. */
  sharedTokens(tokens: readonly Token[]): number {
    const known = this.#sequence?.contextTokens ?? [];
    const differs = known.findIndex((token, index) => token !== tokens[index]);
    return differs === -1 ? known.length : differs;
  }

  /** A sequence with this much room, holding only the common prefix with these tokens. */
  async prepare(tokens: readonly Token[], room: number): Promise<LlamaContextSequence> {
    if (this.capacity < room) await this.#enlarge(room, this.sharedTokens(tokens) > 0);
    const sequence = this.#current();
    // The last token is evaluated again, to get its successor.
    await sequence.adaptStateToTokens(tokens.slice(0, -1), false);
    return sequence;
  }

  /** Moves the conversation to a larger context. */
  async grow(room: number): Promise<LlamaContextSequence> {
    await this.#enlarge(room, true);
    return this.#current();
  }

  /** Clears the tokens but keeps the memory. */
  async clear(): Promise<void> {
    await this.#sequence?.clearHistory();
  }

  /** Frees the context. */
  async forget(): Promise<void> {
    const context = this.#context;
    this.#context = undefined;
    this.#sequence = undefined;
    await context?.dispose();
  }

  #current(): LlamaContextSequence {
    if (this.#sequence === undefined) throw new Error('the slot has no context');
    return this.#sequence;
  }

  async #enlarge(room: number, keepsState: boolean): Promise<void> {
    const before = keepsState ? this.#sequence : undefined;
    const path = join(this.#setup.folder, randomUUID());
    try {
      if (before !== undefined) await before.saveStateToFile(path);
      await this.forget();
      const { model, threads, lora } = this.#setup;
      const contextSize = this.#sizeFor(room);
      this.#context = await model.createContext({
        contextSize,
        sequences: 1,
        batchSize: BATCH_TOKENS,
        threads,
        ...(lora !== undefined && { lora }),
      });
      this.#sequence = this.#context.getSequence();
      // Safe: this process wrote the file a moment ago, with this model.
      if (before !== undefined) await this.#sequence.loadStateFromFile(path, { acceptRisk: true });
    } finally {
      await rm(path, { force: true });
    }
  }

  #sizeFor(room: number): number {
    const { contextWindow } = this.#setup;
    let size = LEAST_CONTEXT_TOKENS;
    while (size - 1 < room) size *= 2;
    return Math.min(size, contextWindow);
  }
}
