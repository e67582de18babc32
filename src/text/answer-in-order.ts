import { Fault } from '../faults/fault.ts';
import type { FaultCode } from '../faults/fault-table.ts';
import type { TextEvent } from './text-event.ts';

type Answer = AsyncIterable<readonly TextEvent[]>;

/** Faults of an engine that another engine may make good. */
const REPLACEABLE: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'engine-failed',
  'engine-overloaded',
  'engine-timeout',
  'too-many-counts',
]);

/** Asks one engine after the other, until one has said something. From its first block on an answer is final: no word is ever said twice. */
export async function* answerInOrder(
  askers: readonly (() => Promise<Answer>)[],
  signal: AbortSignal,
): AsyncGenerator<readonly TextEvent[]> {
  for (const [index, ask] of askers.entries()) {
    let spoken = false;
    try {
      for await (const batch of await ask()) {
        spoken ||= batch.some((event) => event.type !== 'start');
        yield batch;
      }
      return;
    } catch (error) {
      const isLast = index === askers.length - 1;
      const replaceable = error instanceof Fault && REPLACEABLE.has(error.code);
      if (spoken || isLast || !replaceable || signal.aborted) throw error;
    }
  }
}
