import { z } from 'zod';
import type { Operator } from '../../access/operator.ts';
import { keyState, keyView } from '../../admin/key-view.ts';
import { notEditableKey } from '../../admin/keys.ts';
import { stackView } from '../../admin/stack-view.ts';
import { notEditableStack } from '../../admin/stacks.ts';
import { planNames } from '../../config/config.ts';
import { keyScopes } from '../../config/key-scopes.ts';
import type { KeyRecord } from '../../store/key-records.ts';
import type { StackRecord } from '../../store/stack-records.ts';
import { etagOf, etagSchema } from './admin-answers.ts';

const time = z.iso.datetime();
const budget = z
  .object({ hard: z.number().optional(), soft: z.number().optional() })
  .nullable()
  .describe('Money per month; null: no budget.');
const ownership = {
  declared: z.boolean().describe('Whether the configuration file owns it.'),
  editable: z.boolean(),
  not_editable_because: z.string().nullable(),
};

/** A stack of the admin API. */
export const stackSchema = z.object({
  id: z.string(),
  account: z.string(),
  plan: z.enum(planNames),
  image_plan: z.boolean(),
  text: z.array(z.string()).nullable().describe('null: the first configured engine.'),
  image: z.string().nullable().describe('null: the first configured engine.'),
  models: z.array(z.string()).nullable().describe("null: the engine's own."),
  system_prompt: z.string().nullable(),
  temperature: z.number().nullable(),
  paused: z.boolean(),
  responses: z.object({ store: z.boolean() }),
  limits: z.looseObject({}).describe('Those that differ from the plan, by their names in the configuration.'),
  budget,
  ...ownership,
  keys: z.int().describe('How many keys it has.'),
  created_at: time,
  updated_at: time,
  disabled_at: time.nullable(),
  etag: etagSchema,
});

/** A key of the admin API. */
export const keySchema = z.object({
  id: z.string(),
  stack: z.string(),
  prompt: z.string().nullable(),
  retrieval: z.boolean(),
  knowledge: z.enum(['read', 'write']).nullable(),
  expires_at: time.nullable(),
  limits: z.object({
    requests_per_minute: z.int().optional(),
    concurrent_requests: z.int().optional(),
  }),
  scopes: z.array(z.enum(keyScopes)).nullable().describe('null: every part of the API.'),
  models: z.array(z.string()).nullable().describe('null: all models of the stack.'),
  allowed_ips: z.array(z.string()).nullable().describe('null: every address.'),
  read_only: z.boolean(),
  own_images_only: z.boolean(),
  budget,
  ...ownership,
  state: z
    .enum(['active', 'expired', 'revoked', 'disabled'])
    .describe('Of the key itself: while its stack is disabled it opens nothing, whatever this says.'),
  created_at: time,
  secret_set_at: time.nullable().describe('When its secret was made or replaced; null: it has none.'),
  revoked_at: time.nullable(),
  disabled_at: time.nullable(),
  etag: etagSchema,
  secret: z.string().optional().describe('Only in the answer that made it.'),
});

/** Renders a stack; who pasted an API key does not see the prompt, as the key does not. */
export function stackObject(stack: StackRecord, keys: number, { pastedKey }: Operator) {
  const reason = notEditableStack(stack);
  const { system_prompt, ...view } = stackView(stack);
  return {
    ...view,
    ...(pastedKey === undefined && { system_prompt }),
    editable: reason === undefined,
    not_editable_because: reason ?? null,
    keys,
    updated_at: stack.updatedAt,
    etag: stackEtag(stack),
  };
}

/** The name of a stack's state. */
export function stackEtag(stack: StackRecord): string {
  return etagOf(stackView(stack));
}

/** Renders a key; who pasted an API key sees neither prompts nor the addresses of others. */
export function keyObject(key: KeyRecord, { pastedKey }: Operator) {
  const reason = notEditableKey(key);
  const { prompt, allowed_ips, ...view } = keyView(key);
  return {
    ...view,
    ...(pastedKey === undefined && { prompt, allowed_ips }),
    editable: reason === undefined,
    not_editable_because: reason ?? null,
    state: keyState(key),
    etag: keyEtag(key),
  };
}

/** The name of a key's state. */
export function keyEtag(key: KeyRecord): string {
  return etagOf(keyView(key));
}
