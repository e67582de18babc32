import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LlamaContext, LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp';

/** Tokens that are read at once; an abort is at most one batch late. */
export const BATCH_TOKENS = 256;
/** Contexts smaller than this save no memory worth naming. */
const LEAST_CONTEXT_TOKENS = 2_048;

/** What slots share. */
export interface SlotSetup {
  readonly model: LlamaModel;
  readonly threads: number;
  readonly contextWindow: number;
  /** Where a conversation's state lies for the moment it moves to a larger context. */
  readonly folder: string;
}

/**
 * A place for one conversation at a time. Its context is made when it is needed, only as large as needed, and stays with
 * what was read, so that the next turn reads only what is new.
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

  /** Tokens that the context has room for; one cell stays free, or the binding would drop the oldest ones. */
  get capacity(): number {
    return this.#context === undefined ? 0 : this.#context.contextSize - 1;
  }

  /** How many tokens at the beginning were read already. */
  sharedTokens(tokens: readonly Token[]): number {
    const known = this.#sequence?.contextTokens ?? [];
    const differs = known.findIndex((token, index) => token !== tokens[index]);
    return differs === -1 ? known.length : differs;
  }

  /** A sequence with room for so many tokens that remembers what these tokens begin with, and nothing else. */
  async prepare(tokens: readonly Token[], room: number): Promise<LlamaContextSequence> {
    if (this.capacity < room) await this.#enlarge(room, this.sharedTokens(tokens) > 0);
    const sequence = this.#current();
    // The last token is read again, for what follows it.
    await sequence.adaptStateToTokens(tokens.slice(0, -1), false);
    return sequence;
  }

  /** The same conversation with more room. */
  async grow(room: number): Promise<LlamaContextSequence> {
    await this.#enlarge(room, true);
    return this.#current();
  }

  /** Remembers nothing any more, and keeps its memory. */
  async clear(): Promise<void> {
    await this.#sequence?.clearHistory();
  }

  /** Gives the memory back. */
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
      const { model, threads } = this.#setup;
      const contextSize = this.#sizeFor(room);
      this.#context = await model.createContext({
        contextSize,
        sequences: 1,
        batchSize: BATCH_TOKENS,
        threads,
      });
      this.#sequence = this.#context.getSequence();
      // The file was written a moment ago, by this process, with this model.
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
