import { type Conversation, changed, type Turn } from '../conversation.ts';
import type { PromptMeasure } from '../prompt-fit.ts';

/** Measures a conversation; `undefined` if it certainly fits. */
export type MeasureConversation = (conversation: Conversation) => Promise<PromptMeasure | undefined>;

/**
 * Drops the oldest turns until the conversation fits. The system text and the last turn stay, and a call stays or goes with its
 * results. If not even the shortest form fits, the conversation is returned in that form, and refused as too long later.
 */
export async function fitTurns(
  conversation: Conversation,
  measure: MeasureConversation,
): Promise<Conversation> {
  const from = (start: number) => changed(conversation, { turns: conversation.turns.slice(start) });
  const fits = async (start: number) => {
    const measured = await measure(start === 0 ? conversation : from(start));
    return measured === undefined || measured.tokens <= measured.room;
  };
  if (await fits(0)) return conversation;
  const starts = possibleStarts(conversation.turns);
  // A later start is a shorter prompt, so the first that fits is found by halving.
  let low = 0;
  let high = starts.length - 1;
  if (high < 0) return conversation;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (await fits(starts[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return from(starts[low] ?? 0);
}

/**
 * Where a shortened conversation may begin: never between a call and its result. It begins with the user where it can, because
 * many templates demand that; after the last user turn, with the assistant.
 */
function possibleStarts(turns: readonly Turn[]): readonly number[] {
  const lastUser = turns.findLastIndex(({ role }) => role === 'user');
  const openUntil = lastResults(turns);
  let lastResult = 0;
  return turns.flatMap((turn, index) => {
    const isApart = index > 0 && index > lastResult;
    lastResult = Math.max(lastResult, openUntil[index] ?? 0);
    const isStart = turn.role === 'user' || (index > lastUser && turn.role === 'assistant');
    return isApart && isStart ? [index] : [];
  });
}

/** For each turn the index of the last result of its calls. */
function lastResults(turns: readonly Turn[]): readonly number[] {
  const results = new Map<string, number>();
  for (const [index, turn] of turns.entries()) if (turn.role === 'tool') results.set(turn.callId, index);
  return turns.map((turn) =>
    turn.role === 'assistant' ? Math.max(0, ...turn.toolCalls.map(({ id }) => results.get(id) ?? 0)) : 0,
  );
}
