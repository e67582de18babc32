import { z } from 'zod';
import type { Operator } from '../../access/operator.ts';
import {
  changeStack,
  createStack,
  disableStack,
  requireEngines,
  type StackChanges,
  showStack,
} from '../../admin/stacks.ts';
import { budgetSchema } from '../../config/budget-schemas.ts';
import { camelKeys } from '../../config/camel-keys.ts';
import { planNames } from '../../config/config.ts';
import { resolveLimits } from '../../config/resolve-stacks.ts';
import { TEMPERATURE } from '../../config/sampling-ranges.ts';
import { limitsSchema } from '../../config/stack-schemas.ts';
import {
  choice,
  decimal,
  flag,
  fullList,
  identifier,
  mapping,
  prose,
  text,
} from '../../config/value-schemas.ts';
import { readRecords } from '../../store/records.ts';
import type { StackRecord } from '../../store/stack-records.ts';
import type { Answer } from '../answer.ts';
import { jsonBody } from '../body-rules.ts';
import { jsonReply, type OperatorRequest } from '../route.ts';
import { matching, objectAnswer } from './admin-answers.ts';
import { listSchema, pageAnswer, pageParameters, readPage } from './admin-page.ts';
import { requireAllStacks, requireOperator, requireSight } from './admin-rights.ts';
import { type AdminRoute, reading } from './admin-route.ts';
import type { AdminSources } from './admin-sources.ts';
import { readAdminBody, readChanges } from './read-admin-body.ts';
import { stackEtag, stackObject, stackSchema } from './stack-object.ts';
import { findStackParts, readStackParts, stackPartParameters, stackPartsSchema } from './stack-parts.ts';

const engineNames = z.union([text(), fullList(text())], 'the name of a text engine, or a list of names');

const stackShape = {
  account: identifier().exactOptional(),
  plan: choice(planNames).exactOptional(),
  image_plan: flag().exactOptional(),
  text: engineNames.nullable().exactOptional(),
  image: text().nullable().exactOptional(),
  models: fullList(text()).nullable().exactOptional(),
  system_prompt: prose().nullable().exactOptional(),
  temperature: decimal(TEMPERATURE).nullable().exactOptional(),
  paused: flag().exactOptional(),
  responses: mapping({ store: flag() }).exactOptional(),
  budget: budgetSchema.nullable().exactOptional().describe('Money per month; null: no budget.'),
  limits: limitsSchema
    .exactOptional()
    .describe('All limits of the stack; those left out are as in the plan.'),
};
const changesSchema = mapping(stackShape);
const newStackSchema = mapping({ id: identifier(), ...stackShape });

const shownStackSchema = stackSchema.extend({
  included: stackPartsSchema.optional().describe('What `include` asked for.'),
});

type StackBody = z.infer<typeof changesSchema>;

/** Stacks: list, make, show, change and disable. */
export function stackRoutes(sources: AdminSources): readonly AdminRoute[] {
  return [
    {
      ...reading,
      path: '/stacks',
      summary: 'List stacks',
      detail: 'The stacks that the operator may see, by id.',
      query: [...pageParameters, { name: 'q', meaning: 'Only stacks with this in their id or account.' }],
      answer: jsonReply('AdminStackList', listSchema(stackSchema)),
      faults: ['invalid-request'],
      handle: (request) => listAll(sources, request),
    },
    {
      method: 'POST',
      path: '/stacks',
      access: 'write',
      body: jsonBody,
      summary: 'Make a stack',
      detail: 'Makes a stack. The body has the names of the configuration file.',
      request: {
        schema: newStackSchema,
        schemaName: 'AdminNewStack',
        example: '{"id": "shop", "plan": "pro"}',
      },
      answer: { ...jsonReply('AdminStack', stackSchema), status: 201 },
      faults: ['invalid-request', 'operator-refused', 'admin-conflict'],
      handle: (request) => make(sources, request),
    },
    {
      ...one,
      ...reading,
      summary: 'Show a stack',
      detail: 'One stack, and with it its keys and limits where they are asked for.',
      query: stackPartParameters,
      answer: jsonReply('AdminShownStack', shownStackSchema),
      faults: ['invalid-request', 'admin-object-not-found'],
      handle: (request) => show(sources, request),
    },
    {
      ...one,
      method: 'PATCH',
      access: 'write',
      body: jsonBody,
      summary: 'Change a stack',
      detail:
        'Changes the members that the body has; `null` restores the default, and a disabled stack is enabled. Stacks of the configuration file are changed there; `account` only by operators of all stacks.',
      request: { schema: changesSchema, schemaName: 'AdminStackChanges', example: '{"plan": "max"}' },
      faults: ['invalid-request', ...changeFaults],
      handle: (request) => change(sources, request),
    },
    {
      ...one,
      method: 'DELETE',
      access: 'write',
      body: { kind: 'none' },
      summary: 'Disable a stack',
      detail: 'Disables a stack and so all of its keys, and answers with it. Its data stays.',
      faults: changeFaults,
      handle: (request) => disable(sources, request),
    },
  ];
}

const one = {
  path: '/stacks/:id',
  parameters: [{ name: 'id', meaning: 'The stack.' }],
  answer: jsonReply('AdminStack', stackSchema),
} as const;
const changeFaults = ['operator-refused', 'admin-object-not-found', 'admin-conflict', 'etag-stale'] as const;

async function listAll({ pool }: AdminSources, { operator, query }: OperatorRequest): Promise<Answer> {
  const page = readPage(query, 1);
  const { stacks } = readRecords(pool);
  const rows = await stacks.page({
    limit: page.limit + 1,
    after: page.after?.[0],
    text: query.get('q') ?? undefined,
    id: operator.stackId,
  });
  return pageAnswer(rows, page, {
    view: ({ keys, ...stack }) => stackObject(stack, keys, operator),
    cursor: ({ id }) => [id],
  });
}

async function show(sources: AdminSources, { operator, params, query }: OperatorRequest): Promise<Answer> {
  const { id = '' } = params;
  requireSight(operator, id);
  const parts = readStackParts(query);
  const stack = await showStack(sources.pool, id);
  if (parts === undefined) return answerWith(sources, operator, stack);
  const included = await findStackParts(sources, parts, { stackId: id, operator, query });
  return objectAnswer({ ...(await objectOf(sources, operator, stack)), included });
}

async function make(sources: AdminSources, { operator, body }: OperatorRequest): Promise<Answer> {
  requireOperator(operator);
  requireAllStacks(operator);
  const { id, ...rest } = readAdminBody(newStackSchema, body);
  const changes = changesOf(sources, rest);
  const stack = await createStack({ pool: sources.pool, operator }, id, changes);
  sources.changed();
  return { ...(await answerWith(sources, operator, stack)), status: 201 };
}

async function change(sources: AdminSources, request: OperatorRequest): Promise<Answer> {
  const { operator, body, params } = request;
  const { id = '' } = params;
  requireSight(operator, id);
  requireOperator(operator);
  const asked = readChanges(changesSchema, body);
  // In another account the stack would spend another budget.
  if (asked.account !== undefined) requireAllStacks(operator);
  const expect = matching(request, stackEtag);
  const changes = changesOf(sources, asked);
  const work = { pool: sources.pool, operator };
  const stack = await changeStack(work, id, { changes, ...(expect && { expect }) });
  sources.changed();
  return answerWith(sources, operator, stack);
}

async function disable(sources: AdminSources, request: OperatorRequest): Promise<Answer> {
  const { operator, params } = request;
  const { id = '' } = params;
  requireSight(operator, id);
  requireOperator(operator);
  const work = { pool: sources.pool, operator };
  const stack = await disableStack(work, id, matching(request, stackEtag));
  sources.changed();
  return answerWith(sources, operator, stack);
}

async function answerWith(sources: AdminSources, operator: Operator, stack: StackRecord): Promise<Answer> {
  return objectAnswer(await objectOf(sources, operator, stack));
}

async function objectOf({ pool }: AdminSources, operator: Operator, stack: StackRecord) {
  return stackObject(stack, await readRecords(pool).keys.count(stack.id), operator);
}

function changesOf({ config }: AdminSources, body: StackBody): StackChanges {
  const { image_plan, text: engines, system_prompt, responses, limits, budget, ...same } = body;
  const changes = {
    ...same,
    ...(image_plan !== undefined && { imagePlan: image_plan }),
    ...(engines !== undefined && { text: typeof engines === 'string' ? [engines] : engines }),
    ...(system_prompt !== undefined && { systemPrompt: system_prompt || null }),
    ...(responses !== undefined && { storeResponses: responses.store }),
    ...(limits !== undefined && { limits: resolveLimits(limits) }),
    ...(budget !== undefined && { budget: budget && camelKeys(budget) }),
  };
  requireEngines(changes, config().engines);
  return changes;
}
