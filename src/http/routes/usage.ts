import { z } from 'zod';
import { Fault } from '../../faults/fault.ts';
import type { UsageLedger } from '../../usage/usage-ledger.ts';
import { readUsageQuery, STACK_DIMENSIONS } from '../../usage/wire/read-usage-query.ts';
import { usageAnswer, usageGroupSchema } from '../../usage/wire/usage-answer.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { jsonReply, type KeyRequest, type KeyRoute } from '../route.ts';
import { ofScope } from './of-scope.ts';

/** The most groups in one answer. */
const MAXIMUM_GROUPS = 5_000;

const usageSchema = z.object({
  object: z.literal('list'),
  since: z.iso.date().describe('The first day, in UTC.'),
  until: z.iso.date().describe('The last day, in UTC.'),
  data: z.array(usageGroupSchema),
});

/** `GET /v1/usage`: the usage of the key's stack. */
export function showUsage(ledger: Pick<UsageLedger, 'read'>): KeyRoute {
  return {
    ...ofScope('usage'),
    method: 'GET',
    path: '/v1/usage',
    summary: 'Usage',
    detail: `What the stack of the key used, summed over days in UTC. What ended within the last 5 seconds may be missing. At most ${MAXIMUM_GROUPS} groups.`,
    query: [
      {
        name: 'since',
        meaning: 'The first day: a date or an RFC 3339 time; 30 days up to `until` when absent.',
      },
      { name: 'until', meaning: 'The last day: a date or an RFC 3339 time; today when absent.' },
      {
        name: 'by',
        meaning: `What to tell apart: ${STACK_DIMENSIONS.join(', ')}; several with commas, or repeated. Absent: one sum.`,
      },
    ],
    faults: ['invalid-request'],
    answer: jsonReply('Usage', usageSchema),
    handle: (request) => answerUsage(ledger, request),
  };
}

async function answerUsage(
  ledger: Pick<UsageLedger, 'read'>,
  { caller, query }: KeyRequest,
): Promise<Answer> {
  const asked = readUsageQuery(query, Date.now());
  const groups = await ledger.read({ ...asked, stack: caller.stack.id, limit: MAXIMUM_GROUPS + 1 });
  if (groups.length > MAXIMUM_GROUPS) {
    const message = `This is more than ${MAXIMUM_GROUPS} groups: ask for fewer days, or for less in \`by\`.`;
    throw new Fault('invalid-request', message, { param: 'by' });
  }
  const { since, until } = asked;
  return jsonAnswer({ object: 'list', since, until, data: groups.map(usageAnswer) });
}
