import { z } from 'zod';
import type { LeftUsage, SettledTokens } from './left-usage.ts';
import { usageBatches } from './usage-batches.ts';
import { parseRequestLine } from './usage-line.ts';
import { addRequest, type OpenRow } from './usage-sums.ts';

const rowShape = z.object({
  day: z.string(),
  account: z.string(),
  stack: z.string(),
  key: z.string(),
  endpoint: z.string(),
  model: z.string(),
  requests: z.number(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  pages: z.number(),
  images: z.number(),
  pdfPages: z.number(),
  clientErrors: z.number(),
  limitErrors: z.number(),
  serverErrors: z.number(),
  gone: z.number(),
  costMicros: z.number(),
  latencyMs: z.number(),
  maxLatencyMs: z.number(),
  latencyCounts: z.array(z.number()),
});
const TOKENS = /^t (\S+) (\d+) (.+)$/;

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
  const settled = new Map<string, SettledTokens>();
  const settle = (tokens: SettledTokens) => settled.set(`${tokens.day} ${tokens.stack}`, tokens);
  for (const line of text.slice(0, text.lastIndexOf('\n') + 1).split('\n')) {
    if (line.startsWith('r ')) rows.push(rowOf(line.slice(2)));
    const [, day, tokens, stack] = TOKENS.exec(line) ?? [];
    if (day !== undefined && stack !== undefined) settle({ day, stack, tokens: Number(tokens) });
    const request = parseRequestLine(line);
    const row = rows[request?.row ?? -1];
    if (request === undefined || row === undefined) continue;
    addRequest(row, request);
    if (request.settledDay !== undefined)
      settle({ day: request.settledDay, stack: row.stack, tokens: request.settledTokens });
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
