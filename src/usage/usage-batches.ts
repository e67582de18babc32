import type { UsageBatch } from './usage-ledger.ts';
import type { UsageRow } from './usage-row.ts';

/** Rows per batch: a database adds them in some hundredths of a second. */
const BATCH_ROWS = 1_000;

/** Divides rows into batches, numbered from `sequence` on. The same rows always become the same batches. */
export function usageBatches(
  process: string,
  sequence: number,
  rows: readonly UsageRow[],
): readonly UsageBatch[] {
  const batches: UsageBatch[] = [];
  for (let first = 0; first < rows.length; first += BATCH_ROWS) {
    batches.push({
      process,
      sequence: sequence + batches.length,
      rows: rows.slice(first, first + BATCH_ROWS),
    });
  }
  return batches;
}
