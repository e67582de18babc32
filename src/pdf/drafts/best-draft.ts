import { Fault } from '../../faults/fault.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Sampling } from '../../text/conversation.ts';
import { type DraftFaults, draftFaults } from './draft-faults.ts';

/** How a draft is sampled; what is undefined is as the order, the stack or the engine has it. */
export interface DraftSampling extends Partial<Pick<Sampling, 'temperature' | 'seed'>> {
  /** The model reads the instruction twice. */
  readonly isSaidTwice?: boolean;
  /** May be more than the order allows. */
  readonly mostTokens?: number;
}

export interface DraftOrder {
  readonly instruction: string;
  /** How many drafts may be written; more than three are not. */
  readonly most: number;
  /** Writes the HTML. */
  readonly write: (sampling: DraftSampling) => Promise<string>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly signal: AbortSignal;
}

/**
 * The built-in adapter writes HTML greedily; another draft helps only if it differs. Read twice, an instruction is followed more
 * closely; what it still leaves out then is left to chance.
 */
const LATER: readonly DraftSampling[] = [{ isSaidTwice: true }, { temperature: 1, seed: 1 }];
/** No draft begins later, so that a slow machine does not keep its caller waiting. */
const LATEST_START_MS = 60_000;
/** A draft that finds no end is given up after as many tokens as the first one has characters, some three times its length, or after these. */
const LEAST_TOKENS = 1_000;
/** A document that lacks facts is better than none, and saying something twice is better than saying something false. */
const WEIGHTS = { form: 100, facts: 3, layout: 1 } as const;

/** Has a document written, and written again while it has faults; returns the draft with the least of them. */
export async function bestDraft(order: DraftOrder): Promise<string> {
  const { instruction, most, write, clock } = order;
  const latestMs = clock.nowMs() + LATEST_START_MS;
  const first = await write({});
  if (most === 1) return first;
  const mostTokens = Math.max(LEAST_TOKENS, first.length);
  let best = checked(instruction, first);
  for (const sampling of LATER.slice(0, most - 1)) {
    if (best.weight === 0 || clock.nowMs() >= latestMs) break;
    const html = await laterDraft(order, { ...sampling, mostTokens });
    const draft = html === undefined ? best : checked(instruction, html);
    if (draft.weight < best.weight) best = draft;
  }
  return best.html;
}

interface CheckedDraft {
  readonly html: string;
  readonly weight: number;
}

/** `undefined` if it cannot be written; the one before is better than none. */
async function laterDraft(
  { write, signal }: DraftOrder,
  sampling: DraftSampling,
): Promise<string | undefined> {
  try {
    return await write(sampling);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Fault) return undefined;
    throw error;
  }
}

function checked(instruction: string, html: string): CheckedDraft {
  return { html, weight: weightOf(draftFaults(instruction, html)) };
}

function weightOf({ form, facts, layout }: DraftFaults): number {
  return form.length * WEIGHTS.form + facts.length * WEIGHTS.facts + layout.length * WEIGHTS.layout;
}
