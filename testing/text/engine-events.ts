import { expect } from 'vitest';
import type { TextEvent } from '../../src/text/text-event.ts';

/** Every event of an answer. */
export async function eventsOf(batches: AsyncIterable<readonly TextEvent[]>): Promise<readonly TextEvent[]> {
  const events: TextEvent[] = [];
  for await (const batch of batches) {
    expect(batch.length).toBeGreaterThan(0);
    events.push(...batch);
  }
  return events;
}

/** The problem with the order of the events after `start`; undefined if they are blocks with deltas, and a finish. */
export function disorderOf(events: readonly TextEvent[]): string | undefined {
  let isOpen = false;
  for (const [index, event] of events.entries()) {
    const isLast = index === events.length - 1;
    if (event.type === 'start') return 'start is not first';
    if ((event.type === 'finish') !== isLast) return 'finish is not the last event';
    if (event.type === 'block-delta' && event.text === '') return 'a delta is empty';
    if (isOpen === (event.type === 'block-start' || event.type === 'finish'))
      return `${event.type} is misplaced`;
    if (event.type === 'block-start') isOpen = true;
    if (event.type === 'block-end') isOpen = false;
  }
  return events.length === 0 ? 'there is no finish' : undefined;
}

/** Checks a complete answer: `start`, blocks, `finish`. */
export function expectLegalEvents(events: readonly TextEvent[]): void {
  expect(events[0]).toMatchObject({ type: 'start' });
  expect(disorderOf(events.slice(1))).toBeUndefined();
}
