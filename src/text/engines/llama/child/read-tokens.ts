import type { LlamaContextSequence, Token } from 'node-llama-cpp';
import { BATCH_TOKENS } from './sequence-slot.ts';

/** Evaluates tokens batch by batch; yields between batches as a sign of life. */
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
