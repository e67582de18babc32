import { boolean, doublePrecision, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';
import type { LimitOverrides, PlanName } from '../config/config.ts';

// The tables as TypeScript sees them. The SQL files in migrations/ make them; a test compares the two.

const moment = (name: string) => timestamp(name, { withTimezone: true });

/** Owners of stacks. */
export const accounts = pgTable('accounts', {
  id: text('id').primaryKey(),
  createdAt: moment('created_at').notNull().defaultNow(),
});

/** A configured model stack of an account. */
export const stacks = pgTable('stacks', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  plan: text('plan').$type<PlanName>().notNull(),
  imagePlan: boolean('image_plan').notNull(),
  textEngines: text('text_engines').array(),
  imageEngine: text('image_engine'),
  models: text('models').array(),
  systemPrompt: text('system_prompt'),
  temperature: doublePrecision('temperature'),
  paused: boolean('paused').notNull().default(false),
  limits: jsonb('limits').$type<LimitOverrides>().notNull(),
  declared: boolean('declared').notNull(),
  disabledAt: moment('disabled_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
});

/** A key of a stack; its secrets are apart. */
export const keys = pgTable(
  'keys',
  {
    stackId: text('stack_id').notNull(),
    id: text('id').notNull(),
    prompt: text('prompt'),
    retrieval: boolean('retrieval').notNull().default(false),
    knowledge: text('knowledge').$type<'read' | 'write'>(),
    expiresAt: moment('expires_at'),
    revokedAt: moment('revoked_at'),
    declared: boolean('declared').notNull(),
    disabledAt: moment('disabled_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.stackId, table.id] })],
);

/** The hashes by which keys are found: one per key, two while it is rotated. */
export const keySecrets = pgTable('key_secrets', {
  secretHash: text('secret_hash').primaryKey(),
  stackId: text('stack_id').notNull(),
  keyId: text('key_id').notNull(),
  expiresAt: moment('expires_at'),
  createdAt: moment('created_at').notNull().defaultNow(),
});
