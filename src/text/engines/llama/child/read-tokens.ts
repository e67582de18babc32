import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { BATCH_TOKENS } from './sequence-slot.ts';

/** Lets the model read tokens, a batch at a time; what it yields between two batches says that it is still working. */
export async function* readTokens(
  sequence: LlamaContextSequence,
  tokens: readonly Token[],
  signal: AbortSignal,
): AsyncGenerator<readonly never[]> {
  for (let at = 0; at < tokens.length; at += BATCH_TOKENS) {
    signal.throwIfAborted();
    await sequence.evaluateWithoutGeneratingNewTokens(tokens.slice(at, at + BATCH_TOKENS));
    yield [];
  }
}
