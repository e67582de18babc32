import type { LlamaModel, Token } from 'node-llama-cpp';
import { expect, it } from 'vitest';
import { HeldClock } from '../../../../../testing/bad-child/clocks.ts';
import type { SequenceSlot } from './sequence-slot.ts';
import { Slots } from './slots.ts';

/** A sequence that remembers tokens and reports how many of a prompt it knew. */
class FakeSequence {
  contextTokens: readonly Token[] = [];

  get nextTokenIndex(): number {
    return this.contextTokens.length;
  }

  async adaptStateToTokens(tokens: readonly Token[]): Promise<void> {
    const differs = this.contextTokens.findIndex((token, index) => token !== tokens[index]);
    if (differs !== -1) this.contextTokens = this.contextTokens.slice(0, differs);
  }

  async clearHistory(): Promise<void> {
    this.contextTokens = [];
  }
}

const model = {
  createContext: async ({ contextSize }: { readonly contextSize: number }) => {
    const sequence = new FakeSequence();
    return { contextSize, getSequence: () => sequence, dispose: async () => {} };
  },
} as unknown as LlamaModel;

it('share prompts within one stack only', async () => {
  const setup = { model, threads: 1, contextWindow: 4_096, folder: '/nowhere' };
  const slots = new Slots({ ...setup, count: 1, idleMs: 1_000, clock: new HeldClock() });
  const tokens = Array.from({ length: 100 }, (_, index) => index as Token);
  /** The number of tokens of the prompt that need not be read again. */
  const known = async (scope: string | undefined) => {
    const signal = new AbortController().signal;
    let count = -1;
    const work = async function* (slot: SequenceSlot) {
      const sequence = await slot.prepare(tokens, 200);
      yield sequence.nextTokenIndex;
      Object.assign(sequence, { contextTokens: tokens });
    };
    for await (const index of slots.use({ tokens, scope }, signal, work)) count = index;
    return count;
  };
  const scopes = ['shop', 'shop', 'other', 'other', 'shop', undefined];
  const counts = [];
  for (const scope of scopes) counts.push(await known(scope));
  expect(counts).toEqual([0, 99, 0, 99, 0, 0]);
});
