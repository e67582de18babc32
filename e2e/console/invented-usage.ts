import { openDatabase } from '../../src/store/database.ts';
import { SqlUsage } from '../../src/store/sql-usage.ts';
import type { UsageRow } from '../../src/usage/usage-row.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;

/** Fills the database of a folder with the usage of a month, for pictures that have something to show. */
export async function inventUsage(dataDir: string): Promise<void> {
  const { signal } = new AbortController();
  const database = await openDatabase({ url: undefined, dataDir, announce: () => {}, signal });
  try {
    const rows = Array.from({ length: DAYS }, (_, ago) => rowsOf(ago)).flat();
    await new SqlUsage(database.pool).add({ process: 'invented', sequence: 1, rows });
  } finally {
    await database.close();
  }
}

const KINDS = [
  { key: 'web', endpoint: '/v1/chat/completions', model: 'qwen3-32b', share: 1 },
  { key: 'app', endpoint: '/v1/messages', model: 'qwen3-32b', share: 0.55 },
  { key: 'web', endpoint: '/v1/images/generations', model: 'painter', share: 0.12 },
  { key: 'app', endpoint: '/v1/documents/extract', model: 'qwen3-32b', share: 0.2 },
];

/** A week has its quiet days, and there is more from week to week. */
function rowsOf(ago: number): readonly UsageRow[] {
  const date = new Date(Date.now() - ago * DAY_MS);
  const isWeekend = date.getUTCDay() % 6 === 0;
  const trend = (1.35 - ago / DAYS) * (isWeekend ? 0.45 : 1) * (1 + 0.16 * Math.sin(7 * ago));
  return KINDS.map(({ key, endpoint, model, share }) => {
    const requests = Math.round(2400 * share * trend);
    return {
      day: date.toISOString().slice(0, 10),
      account: 'acme',
      stack: 'shop',
      key,
      endpoint,
      model,
      requests,
      promptTokens: requests * 820,
      completionTokens: requests * 260,
      pages: endpoint.endsWith('extract') ? requests * 2 : 0,
      images: endpoint.includes('images') ? requests : 0,
      pdfPages: 0,
      clientErrors: Math.round(requests * 0.018),
      limitErrors: Math.round(requests * 0.012),
      serverErrors: Math.round(requests * 0.004),
      gone: 0,
      costMicros: 0,
      latencyMs: requests * 640,
      maxLatencyMs: 4200,
      latencyCounts: [requests],
    };
  });
}
