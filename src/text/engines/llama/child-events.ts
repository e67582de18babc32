import { isRecord } from '../../../lib/json-record.ts';
import type { RankedCandidate } from '../../candidate-ranker.ts';
import type { TextEvent } from '../../text-event.ts';

const EVENT_TYPES: ReadonlySet<unknown> = new Set<TextEvent['type']>([
  'block-start',
  'block-delta',
  'block-end',
  'finish',
]);

/** The events of a batch. The child is part of this program, so only their type is checked. */
export function textEvents(batch: readonly unknown[]): readonly TextEvent[] {
  if (batch.every((event) => isRecord(event) && EVENT_TYPES.has(event.type))) return batch as TextEvent[];
  throw new TypeError('the child sent what is no event');
}

/** The candidates of a batch. */
export function rankedCandidates(batch: readonly unknown[]): readonly RankedCandidate[] {
  const isCandidate = (item: unknown) =>
    isRecord(item) && typeof item.index === 'number' && typeof item.logProbability === 'number';
  if (batch.every(isCandidate)) return batch as RankedCandidate[];
  throw new TypeError('the child sent what is no candidate');
}
