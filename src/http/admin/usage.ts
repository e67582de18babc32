import { z } from 'zod';
import { Fault } from '../../faults/fault.ts';
import { csv, csvLines } from '../../lib/csv.ts';
import { SqlUsage, type UsageSumsGroup, type UsageSumsQuery } from '../../store/sql-usage.ts';
import type { UsageDimension } from '../../usage/usage-row.ts';
import { readUsageQuery } from '../../usage/wire/read-usage-query.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { wholeNumberIn, wordIn } from '../query-values.ts';
import { jsonReply, type OperatorRequest } from '../route.ts';
import { seenStack } from './admin-rights.ts';
import { type AdminRoute, reading } from './admin-route.ts';
import type { AdminSources } from './admin-sources.ts';
import { usageSums, usageSumsSchema } from './usage-sums.ts';

const DIMENSIONS = ['day', 'account', 'stack', 'key', 'endpoint', 'model'] as const;
const MAXIMUM_GROUPS = 1_000;
const MAXIMUM_LINES = 200_000;

const dimension = z.string().optional();
const daysSchema = z.array(usageSumsSchema.extend({ day: z.iso.date() }));
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
  days: daysSchema.optional().describe('The sums of each day with usage, where `days` asked for them.'),
  totals: usageSumsSchema.describe('Of all groups, also of those that are left out.'),
  groups: z.int().describe('How many groups there are.'),
  truncated: z.boolean().describe('Whether `data` has the groups with the most requests only.'),
});

/** `GET /usage`: sums over the usage of the stacks that the operator may see. */
export function usageRoute(sources: AdminSources): AdminRoute {
  return {
    ...reading,
    path: '/usage',
    summary: 'Usage of all stacks',
    detail: `Sums over days in UTC, with the names of \`/v1/usage\`, in the order of their groups. Of more groups than \`limit\`, those with the most requests, the largest first; the totals are of all.`,
    query: [
      { name: 'since', meaning: 'The first day; 30 days up to `until` when absent.' },
      { name: 'until', meaning: 'The last day; today when absent.' },
      { name: 'group_by', meaning: `What to tell apart: ${DIMENSIONS.join(', ')}; several with commas.` },
      { name: 'days', meaning: '`true`: the sums of each day besides, as `days`. A file has none.' },
      { name: 'stack', meaning: 'Only usage of this stack.' },
      { name: 'key', meaning: 'Only usage of keys of this id.' },
      {
        name: 'limit',
        meaning: `The most groups, 1 to ${MAXIMUM_GROUPS}, which is the default. A file has all.`,
      },
      { name: 'format', meaning: `\`csv\`: a file for spreadsheets, of at most ${MAXIMUM_LINES} lines.` },
    ],
    answer: { ...jsonReply('AdminUsage', usageSchema), orContentType: 'text/csv' },
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
  const key = query.get('key') ?? undefined;
  const usage = new SqlUsage(pool);
  const asked = {
    since,
    until,
    by,
    ...(stack !== undefined && { stack }),
    ...(key !== undefined && { key }),
  };
  if (wordIn(query, 'format', ['json', 'csv']) === 'csv') {
    const headers = { 'content-disposition': `attachment; filename="usage-${since}-${until}.csv"` };
    return { contentType: 'text/csv; charset=utf-8', headers, body: await writeFile(usage, asked) };
  }
  const limit = wholeNumberIn(query, 'limit', { from: 1, to: MAXIMUM_GROUPS }) ?? MAXIMUM_GROUPS;
  const { groups, groupCount, total } = await usage.readSums({ ...asked, limit });
  const truncated = groupCount > limit;
  return jsonAnswer({
    since,
    until,
    data: rendered(truncated ? groups : inOrder(groups, by), by),
    ...(wordIn(query, 'days', ['false', 'true']) === 'true' && { days: await readDays(usage, asked) }),
    totals: usageSums(total),
    groups: truncated ? groupCount : groups.length,
    truncated,
  });
}

/** Every day: of more than a few years, too. */
async function readDays(usage: SqlUsage, asked: AskedSums) {
  const by = ['day'] as const;
  const { groups } = await usage.readSums({ ...asked, by, limit: MAXIMUM_LINES });
  return rendered(inOrder(groups, by), by);
}

type AskedSums = Omit<UsageSumsQuery, 'limit'>;

/** All groups. Those of keys and days are read day by day, so that other requests get their turn. */
async function writeFile(usage: SqlUsage, asked: AskedSums): Promise<string> {
  const parts = asked.by.includes('day') && asked.by.includes('key') ? await daysOf(usage, asked) : [asked];
  let text = '';
  let lines = 0;
  for (const part of parts) {
    const { groups } = await usage.readSums({ ...part, limit: MAXIMUM_LINES + 1 });
    lines += groups.length;
    if (lines > MAXIMUM_LINES) throw tooLong();
    const rows = rendered(inOrder(groups, asked.by), asked.by).map(flat);
    text += text === '' ? csv(rows) : csvLines(rows);
  }
  return text;
}

async function daysOf(usage: SqlUsage, asked: AskedSums): Promise<readonly AskedSums[]> {
  const { groups } = await usage.readSums({ ...asked, by: ['day'], limit: MAXIMUM_LINES });
  const days = groups.map(({ day }) => day ?? '').sort();
  return days.map((day) => ({ ...asked, since: day, until: day }));
}

function tooLong(): Fault {
  const message = `This is more than ${MAXIMUM_LINES} lines; ask for fewer days, for one stack, or for less in \`group_by\`.`;
  return new Fault('invalid-request', message, { param: 'since' });
}

function rendered(groups: readonly UsageSumsGroup[], by: readonly UsageDimension[]) {
  return groups.map((group) => ({ ...dimensionsOf(group, by), ...usageSums(group) }));
}

function dimensionsOf(
  group: UsageSumsGroup,
  by: readonly UsageDimension[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(by.map((name) => [name, group[name] ?? '']));
}

function inOrder(
  groups: readonly UsageSumsGroup[],
  by: readonly UsageDimension[],
): readonly UsageSumsGroup[] {
  const place = (group: UsageSumsGroup) => by.map((name) => group[name] ?? '').join('\u0000');
  const placed = groups.map((group) => [place(group), group] as const);
  return placed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
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
