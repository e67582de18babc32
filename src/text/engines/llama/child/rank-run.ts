import type { ControlledEvaluateInputItem, LlamaContextSequence, Token } from 'node-llama-cpp';
import type { RankRequest } from '../llama-protocol.ts';
import { bestCandidates, type Scored } from './best-candidates.ts';
import type { LoadedModel } from './loaded-model.ts';
import { readTokens } from './read-tokens.ts';
import type { SequenceSlot } from './sequence-slot.ts';

/** The tokens of the prompt and the prefix of the answer. */
export function rankingPrompt(loaded: LoadedModel, { conversation, prefix }: RankRequest): readonly Token[] {
  return [...loaded.promptTokens(conversation), ...loaded.model.tokenize(prefix, false, 'trimLeadingSpace')];
}

/** Ranks candidates after a prompt, which is read once for all of them. An empty batch is a sign of life. */
export async function* rankCandidates(order: {
  readonly loaded: LoadedModel;
  readonly request: RankRequest;
  readonly prompt: readonly Token[];
  readonly slot: SequenceSlot;
  readonly signal: AbortSignal;
}): AsyncGenerator<readonly Scored[]> {
  const { loaded, request, prompt, slot, signal } = order;
  const sequences = request.candidates.map((text) => loaded.model.tokenize(text, false, 'trimLeadingSpace'));
  const longest = sequences.reduce((most, { length }) => Math.max(most, length), 0);
  loaded.requireRoom(prompt.length + longest);
  const sequence = await slot.prepare(prompt, prompt.length + longest);
  yield* readTokens(sequence, prompt.slice(sequence.nextTokenIndex, -1), signal);
  yield* bestCandidates<Token>(sequences, request.k, (path, wanted) => {
    signal.throwIfAborted();
    return nextProbabilities(sequence, [prompt, path], wanted);
  });
}

/** The probabilities after the prompt and after each token of the path; evaluates only what is wanted. */
async function nextProbabilities(
  sequence: LlamaContextSequence,
  [prompt, path]: readonly [readonly Token[], readonly Token[]],
  wanted: readonly (readonly Token[])[],
): Promise<readonly ReadonlyMap<Token, number>[]> {
  const first = wanted.findIndex((tokens) => tokens.length > 0);
  const all = [...prompt, ...path];
  await sequence.adaptStateToTokens(all.slice(0, prompt.length - 1 + first), false);
  const start = sequence.nextTokenIndex;
  const input = all
    .slice(start)
    .map((token, index) => inputItem(token, wanted[start + index - prompt.length + 1]));
  const answers = await sequence.controlledEvaluate(input);
  return wanted.map((_, index) => logProbabilities(answers[index + prompt.length - 1 - start]?.next));
}

function inputItem(token: Token, wanted: readonly Token[] | undefined): ControlledEvaluateInputItem {
  if (wanted === undefined || wanted.length === 0) return token;
  // `includeMax` would leave out the largest one.
  const logits = { filter: { tokens: wanted, includeTop: 1 } };
  return [token, { generateNext: { logits, totalLogitWeight: true } }];
}

/** The binding returns the sum of all weights relative to the largest, which is among the requested ones. */
function logProbabilities(
  next: { readonly logits?: ReadonlyMap<Token, number>; readonly totalLogitWeight?: number } | undefined,
): ReadonlyMap<Token, number> {
  if (next?.logits === undefined || next.totalLogitWeight === undefined) return new Map();
  const total = Math.max(...next.logits.values()) + Math.log(next.totalLogitWeight);
  return new Map([...next.logits].map(([token, logit]) => [token, logit - total]));
}
