import { z } from 'zod';
import type { LeftUsage, SettledShare } from './left-usage.ts';
import { nameOfShare, parseSettledLine } from './settled-line.ts';
import { sumsShape } from './sums-shape.ts';
import { usageBatches } from './usage-batches.ts';
import { parseRequestLine } from './usage-line.ts';
import { addRequest, type OpenRow } from './usage-sums.ts';

const rowShape = sumsShape.extend({
  day: z.string(),
  account: z.string(),
  stack: z.string(),
  key: z.string(),
  endpoint: z.string(),
  model: z.string(),
});

/** A segment of the journal of a killed process. */
export interface JournalSegment {
  readonly process: string;
  /** The number of its first batch. */
  readonly sequence: number;
  readonly text: string;
}

/** Sums up a segment, as its process would have. A last line without its end was not acknowledged. */
export function readSegment({ process, sequence, text }: JournalSegment): LeftUsage {
  const rows: (OpenRow | undefined)[] = [];
  const settled = new Map<string, SettledShare>();
  const settle = (share: SettledShare) => settled.set(nameOfShare(share), share);
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    if (line.startsWith('r ')) rows.push(rowOf(line.slice(2)));
    const share = parseSettledLine(line);
    if (share !== undefined) settle(share);
    const request = parseRequestLine(line);
    const row = rows[request?.row ?? -1];
    if (request === undefined || row === undefined) continue;
    addRequest(row, request);
    const { settledDay: day, settledTokens: amount } = request;
    if (day !== undefined) settle({ kind: 'tokens', stack: row.stack, key: '', day, amount });
  }
  const used = rows.flatMap((row) => (row !== undefined && row.requests > 0 ? [row] : []));
  return { process, batches: usageBatches(process, sequence, used), settled: [...settled.values()] };
}

/** A row that a broken disk has changed keeps its place, and its requests are left out. */
function rowOf(text: string): OpenRow | undefined {
  try {
    return rowShape.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
