import { z } from 'zod';
import type { Operator } from '../../access/operator.ts';
import { defaultKeyCopy } from '../../admin/configured-stacks.ts';
import {
  changeKey,
  createKey,
  type KeyChanges,
  type KeyWithSecret,
  refuseDeclaredSecret,
  revokeKey,
  rotateKey,
  showKey,
} from '../../admin/keys.ts';
import { budgetSchema } from '../../config/budget-schemas.ts';
import { camelKeys } from '../../config/camel-keys.ts';
import { keyScopes } from '../../config/key-scopes.ts';
import { keyLimitsSchema } from '../../config/stack-schemas.ts';
import {
  addressOrRange,
  choice,
  flag,
  fullList,
  identifier,
  mapping,
  text,
  wholeNumber,
} from '../../config/value-schemas.ts';
import type { KeyName } from '../../store/key-records.ts';
import { readRecords } from '../../store/records.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { jsonBody } from '../body-rules.ts';
import { jsonReply, type OperatorRequest } from '../route.ts';
import { matching, objectAnswer } from './admin-answers.ts';
import { type AskedPage, listSchema, pageOf, pageParameters, readPage } from './admin-page.ts';
import { requireSight, seenStack } from './admin-rights.ts';
import { type AdminRoute, reading } from './admin-route.ts';
import type { AdminSources } from './admin-sources.ts';
import { readAdminBody, readChanges } from './read-admin-body.ts';
import { keyEtag, keyObject, keySchema } from './stack-object.ts';

const ONE_DAY_SECONDS = 86_400;
const LONGEST_OVERLAP_SECONDS = 30 * ONE_DAY_SECONDS;

const expiry = z.iso.datetime({ offset: true, error: 'a timestamp such as 2027-01-01T00:00:00Z' });
const keyShape = {
  prompt: text().nullable().exactOptional(),
  retrieval: flag().exactOptional(),
  knowledge: choice(['read', 'write']).nullable().exactOptional(),
  expires_at: expiry.nullable().exactOptional(),
  limits: keyLimitsSchema.exactOptional().describe('All limits of the key; those left out are lifted.'),
  scopes: fullList(choice(keyScopes)).nullable().exactOptional().describe('null: every part of the API.'),
  models: fullList(text()).nullable().exactOptional().describe('null: all models of the stack.'),
  allowed_ips: fullList(addressOrRange()).nullable().exactOptional().describe('null: every address.'),
  read_only: flag().exactOptional(),
  own_images_only: flag().exactOptional(),
  budget: budgetSchema.nullable().exactOptional().describe('Money per month; null: no budget.'),
};
const changesSchema = mapping(keyShape);
const newKeySchema = mapping({ id: identifier(), ...keyShape });
const rotationSchema = mapping({
  overlap_seconds: wholeNumber({ minimum: 0, maximum: LONGEST_OVERLAP_SECONDS })
    .default(ONE_DAY_SECONDS)
    .describe('How long the old secret still works.'),
});

type KeyBody = z.infer<typeof changesSchema>;

/** Keys: list, make, show, change, rotate and revoke. */
export function keyRoutes(sources: AdminSources): readonly AdminRoute[] {
  return [
    {
      ...listing,
      path: '/keys',
      summary: 'List keys of all stacks',
      detail: 'The keys that the operator may see, by stack and id.',
      query: [
        ...pageParameters,
        { name: 'stack', meaning: 'Only keys of this stack.' },
        { name: 'q', meaning: 'Only keys with this in their id or the id of their stack.' },
      ],
      handle: (request) => listAll(sources, request, seenStack(request.operator, request.query)),
    },
    {
      ...listing,
      path: '/stacks/:id/keys',
      summary: 'List keys',
      detail: 'The keys of a stack, by id.',
      parameters: [stackParameter],
      query: [...pageParameters, { name: 'q', meaning: 'Only keys with this in their id.' }],
      handle: (request) => {
        const { id = '' } = request.params;
        requireSight(request.operator, id);
        return listAll(sources, request, id);
      },
    },
    {
      method: 'POST',
      path: '/stacks/:id/keys',
      access: 'write',
      body: jsonBody,
      summary: 'Make a key',
      detail: 'Makes a key. Its secret is in `secret`, this once.',
      parameters: [stackParameter],
      request: { schema: newKeySchema, schemaName: 'AdminNewKey', example: '{"id": "web"}' },
      answer: { ...jsonReply('AdminKey', keySchema), status: 201 },
      faults: ['invalid-request', 'operator-refused', 'admin-object-not-found', 'admin-conflict'],
      handle: (request) => make(sources, request),
    },
    {
      ...one,
      ...reading,
      summary: 'Show a key',
      detail: 'One key, without its secret, which is stored as a hash only.',
      faults: ['admin-object-not-found'],
      handle: async (request) => {
        const key = await showKey(sources.pool, nameOf(request));
        return objectAnswer(keyObject(key, request.operator));
      },
    },
    {
      ...one,
      method: 'PATCH',
      access: 'write',
      body: jsonBody,
      summary: 'Change a key',
      detail:
        'Changes the members that the body has; `null` restores the default. Keys of the configuration file are changed there.',
      request: { schema: changesSchema, schemaName: 'AdminKeyChanges', example: '{"retrieval": true}' },
      faults: ['invalid-request', ...changeFaults],
      handle: (request) => change(sources, request),
    },
    {
      ...one,
      method: 'DELETE',
      access: 'write',
      body: { kind: 'none' },
      summary: 'Revoke a key',
      detail: 'Ends a key for good, and answers with it.',
      faults: changeFaults,
      handle: (request) => revoke(sources, request),
    },
    {
      ...one,
      method: 'POST',
      path: '/stacks/:id/keys/:key/rotate',
      access: 'write',
      body: { ...jsonBody, mayBeAbsent: true },
      summary: 'Rotate a key',
      detail:
        'Gives a key a new secret, which is in `secret`, this once. The old one works on for the overlap. The body may be left away.',
      request: {
        schema: rotationSchema,
        schemaName: 'AdminKeyRotation',
        example: '{"overlap_seconds": 3600}',
      },
      answer: { ...jsonReply('AdminKey', keySchema), status: 201 },
      faults: ['invalid-request', ...changeFaults],
      handle: (request) => rotate(sources, request),
    },
  ];
}

const stackParameter = { name: 'id', meaning: 'The stack.' } as const;
const listing = {
  ...reading,
  answer: jsonReply('AdminKeyList', listSchema(keySchema)),
  faults: ['invalid-request', 'admin-object-not-found'],
} as const;
const one = {
  path: '/stacks/:id/keys/:key',
  parameters: [stackParameter, { name: 'key', meaning: 'The key.' }],
  answer: jsonReply('AdminKey', keySchema),
} as const;
const changeFaults = ['operator-refused', 'admin-object-not-found', 'admin-conflict', 'etag-stale'] as const;

async function listAll(
  sources: AdminSources,
  { query, operator }: OperatorRequest,
  stackId: string | undefined,
): Promise<Answer> {
  const text = query.get('q') ?? undefined;
  return jsonAnswer(await keyPage(sources, operator, { ...readPage(query, 2), text, stackId }));
}

interface AskedKeys extends AskedPage {
  readonly text?: string | undefined;
  readonly stackId: string | undefined;
}

/** A page of keys, by stack and id. */
export async function keyPage(
  { pool }: AdminSources,
  operator: Operator,
  { limit, after, text, stackId }: AskedKeys,
) {
  const [stack, id] = after ?? [];
  const rows = await readRecords(pool).keys.page({
    limit: limit + 1,
    after: stack === undefined || id === undefined ? undefined : { stackId: stack, id },
    text,
    stackId,
  });
  return pageOf(
    rows,
    { limit },
    { view: (key) => keyObject(key, operator), cursor: (key) => [key.stackId, key.id] },
  );
}

async function make(sources: AdminSources, { operator, params, body }: OperatorRequest): Promise<Answer> {
  const { id: stackId = '' } = params;
  requireSight(operator, stackId);
  const { id, ...rest } = readAdminBody(newKeySchema, body);
  const values = changesOf(rest);
  const created = await createKey({ pool: sources.pool, operator }, { stackId, id, ...values });
  return answerSecret(sources, operator, created);
}

async function change(sources: AdminSources, request: OperatorRequest): Promise<Answer> {
  const name = nameOf(request);
  const changes = changesOf(readChanges(changesSchema, request.body));
  const expect = matching(request, keyEtag);
  const work = { pool: sources.pool, operator: request.operator };
  const key = await changeKey(work, name, { changes, ...(expect && { expect }) });
  sources.changed();
  return objectAnswer(keyObject(key, request.operator));
}

async function revoke(sources: AdminSources, request: OperatorRequest): Promise<Answer> {
  const name = nameOf(request);
  const work = { pool: sources.pool, operator: request.operator };
  const key = await revokeKey(work, name, matching(request, keyEtag));
  sources.changed();
  return objectAnswer(keyObject(key, request.operator));
}

async function rotate(sources: AdminSources, request: OperatorRequest): Promise<Answer> {
  const name = nameOf(request);
  const { overlap_seconds: overlapSeconds } = readAdminBody(rotationSchema, request.body);
  const config = sources.config();
  const expect = matching(request, keyEtag);
  refuseDeclaredSecret(config, name);
  const keepCopy = defaultKeyCopy(config, name);
  const work = { pool: sources.pool, operator: request.operator };
  const rotation = { overlapSeconds, keepCopy, ...(expect && { expect }) };
  return answerSecret(sources, request.operator, await rotateKey(work, name, rotation));
}

function answerSecret(sources: AdminSources, operator: Operator, { key, secret }: KeyWithSecret): Answer {
  sources.changed();
  return objectAnswer({ ...keyObject(key, operator), secret }, 201);
}

function nameOf({ operator, params }: OperatorRequest): KeyName {
  const { id: stackId = '', key: id = '' } = params;
  requireSight(operator, stackId);
  return { stackId, id };
}

function changesOf({ expires_at, limits, budget, ...same }: KeyBody): KeyChanges {
  return {
    ...camelKeys(same),
    ...(budget !== undefined && { budget: budget && camelKeys(budget) }),
    ...(expires_at !== undefined && { expiresAt: expires_at === null ? null : new Date(expires_at) }),
    ...(limits !== undefined && { limits: camelKeys(limits) }),
  };
}
