import type { RankedCandidate } from '../../candidate-ranker.ts';
import type { TextEvent } from '../../text-event.ts';

const EVENT_TYPES: ReadonlySet<unknown> = new Set<TextEvent['type']>([
  'block-start',
  'block-delta',
  'block-end',
  'finish',
]);

/** The events in a batch of the child; it is this program too, so only their kind is checked. */
export function textEvents(batch: readonly unknown[]): readonly TextEvent[] {
  return batch.map((event) => {
    if (isTextEvent(event)) return event;
    throw new TypeError('the child sent what is no event');
  });
}

/** The candidates in a batch of the child. */
export function rankedCandidates(batch: readonly unknown[]): readonly RankedCandidate[] {
  return batch.map((item) => {
    if (isRankedCandidate(item)) return item;
    throw new TypeError('the child sent what is no candidate');
  });
}

function isTextEvent(value: unknown): value is TextEvent {
  return typeof value === 'object' && value !== null && 'type' in value && EVENT_TYPES.has(value.type);
}

function isRankedCandidate(value: unknown): value is RankedCandidate {
  return (
    typeof value === 'object' &&
    value !== null &&
    'index' in value &&
    typeof value.index === 'number' &&
    'logProbability' in value &&
    typeof value.logProbability === 'number'
  );
}
