import { z } from 'zod';
import { auditView } from '../../admin/audit.ts';
import { listAudit } from '../../store/audit-trail.ts';
import type { Answer } from '../answer.ts';
import { jsonReply, type OperatorRequest } from '../route.ts';
import { listSchema, pageAnswer, pageParameters, readPage, wrongCursor } from './admin-page.ts';
import { refusePastedKey, seenStack } from './admin-rights.ts';
import { type AdminRoute, reading } from './admin-route.ts';
import type { AdminSources } from './admin-sources.ts';

const view = z.looseObject({}).nullable();
const auditSchema = z.object({
  sequence: z.int(),
  at: z.iso.datetime(),
  actor: z.string(),
  door: z.enum(['cli', 'token', 'console', 'file']),
  address: z.string().nullable().describe('The address of a request, or the machine of a command.'),
  action: z.string(),
  target: z.string(),
  stack: z.string().nullable(),
  before: view,
  after: view,
  hash: z.string().describe('SHA-256 over the row and the hash of the row before it.'),
});

/** `GET /audit`: who changed what. */
export function auditRoute(sources: AdminSources): AdminRoute {
  return {
    ...reading,
    path: '/audit',
    summary: 'Audit',
    detail: 'Who changed what, newest first. An operator of one stack sees what concerns that stack.',
    query: [
      ...pageParameters,
      { name: 'actor', meaning: 'Only actions of this operator.' },
      { name: 'action', meaning: 'Only this action, such as `key.create`.' },
      { name: 'stack', meaning: 'Only what concerns this stack.' },
    ],
    answer: jsonReply('AdminAuditList', listSchema(auditSchema)),
    faults: ['invalid-request', 'admin-object-not-found'],
    handle: (request) => listRows(sources, request),
  };
}

async function listRows({ pool }: AdminSources, { operator, query }: OperatorRequest): Promise<Answer> {
  refusePastedKey(operator);
  const page = readPage(query, 1);
  const rows = await listAudit(pool, {
    limit: page.limit + 1,
    before: readSequence(page.after?.[0]),
    actor: query.get('actor') ?? undefined,
    action: query.get('action') ?? undefined,
    stackId: seenStack(operator, query),
  });
  return pageAnswer(rows, page, { view: auditView, cursor: ({ sequence }) => [String(sequence)] });
}

function readSequence(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw wrongCursor();
}
