import { z } from 'zod';
import { Fault } from '../../faults/fault.ts';
import { csv } from '../../lib/csv.ts';
import { SqlUsage, type UsageSumsGroup } from '../../store/sql-usage.ts';
import { readUsageQuery } from '../../usage/wire/read-usage-query.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import type { OperatorRequest } from '../route.ts';
import { jsonReply } from '../route-description.ts';
import { seenStack } from './admin-rights.ts';
import type { AdminRoute } from './admin-route.ts';
import type { AdminSources } from './admin-sources.ts';
import { totalOf, usageSums, usageSumsSchema } from './usage-sums.ts';

const DIMENSIONS = ['day', 'account', 'stack', 'key', 'endpoint', 'model'] as const;
const MAXIMUM_GROUPS = 10_000;
const MAXIMUM_LINES = 200_000;

const dimension = z.string().optional();
const usageSchema = z.object({
  since: z.iso.date(),
  until: z.iso.date(),
  data: z.array(
    usageSumsSchema.extend({
      day: dimension,
      account: dimension,
      stack: dimension,
      key: dimension,
      endpoint: dimension,
      model: dimension,
    }),
  ),
  totals: usageSumsSchema,
});

/** `GET /usage`: sums over the usage of the stacks that the operator may see. */
export function usageRoute(sources: AdminSources): AdminRoute {
  return {
    group: 'Admin',
    method: 'GET',
    path: '/usage',
    access: 'read',
    body: { kind: 'none' },
    summary: 'Usage of all stacks',
    detail: `Sums over days in UTC, with the names of \`/v1/usage\`. At most ${MAXIMUM_GROUPS} groups, as CSV ${MAXIMUM_LINES}.`,
    query: [
      { name: 'since', meaning: 'The first day; 30 days up to `until` when absent.' },
      { name: 'until', meaning: 'The last day; today when absent.' },
      { name: 'group_by', meaning: `What to tell apart: ${DIMENSIONS.join(', ')}; several with commas.` },
      { name: 'stack', meaning: 'Only usage of this stack.' },
      { name: 'key', meaning: 'Only usage of keys of this id.' },
      { name: 'format', meaning: '`csv`: a file for spreadsheets.' },
    ],
    answer: { ...jsonReply('AdminUsage', usageSchema), textContentType: 'text/csv' },
    faults: ['invalid-request', 'admin-object-not-found'],
    handle: (request) => answerUsage(sources, request),
  };
}

async function answerUsage({ pool }: AdminSources, { operator, query }: OperatorRequest): Promise<Answer> {
  const { since, until, by } = readUsageQuery(query, Date.now(), {
    dimensions: DIMENSIONS,
    parameter: 'group_by',
  });
  const stack = seenStack(operator, query);
  const key = query.get('key') || undefined;
  const format = readFormat(query.get('format'));
  const most = format === 'csv' ? MAXIMUM_LINES : MAXIMUM_GROUPS;
  const groups = await new SqlUsage(pool).readSums({
    since,
    until,
    by,
    limit: most + 1,
    ...(stack !== undefined && { stack }),
    ...(key !== undefined && { key }),
  });
  if (groups.length > most) {
    const message = `This is more than ${most} groups: ask for fewer days, or for less in \`group_by\`.`;
    throw new Fault('invalid-request', message, { param: 'group_by' });
  }
  const data = groups.map((group) => ({ ...dimensionsOf(group), ...usageSums(group) }));
  if (format === 'csv') {
    const headers = { 'content-disposition': `attachment; filename="usage-${since}-${until}.csv"` };
    return { contentType: 'text/csv; charset=utf-8', headers, body: csv(data.map(flat)) };
  }
  return jsonAnswer({ since, until, data, totals: usageSums(totalOf(groups)) });
}

function readFormat(text: string | null): 'json' | 'csv' {
  if (text === null || text === '' || text === 'json') return 'json';
  if (text === 'csv') return 'csv';
  throw new Fault('invalid-request', `\`format\` must be csv or json, got "${text.slice(0, 50)}".`, {
    param: 'format',
  });
}

function dimensionsOf({ day, account, stack, key, endpoint, model }: UsageSumsGroup) {
  return { day, account, stack, key, endpoint, model };
}

/** A row of the file: `errors.client` becomes `errors_client`. */
function flat(row: object): Readonly<Record<string, string>> {
  const cells = Object.entries(row).flatMap(([name, value]) => {
    if (value === undefined) return [];
    if (typeof value !== 'object') return [[name, String(value)]];
    return Object.entries(value).map(([part, each]) => [`${name}_${part}`, String(each)]);
  });
  return Object.fromEntries(cells);
}
