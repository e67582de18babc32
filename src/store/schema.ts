import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';
import type { LimitOverrides, PlanName } from '../config/config.ts';

// The tables as TypeScript sees them. The SQL files in migrations/ make them; a test compares the two.

const moment = (name: string) => timestamp(name, { withTimezone: true });
const identity = (name: string) => bigint(name, { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity();
// An unsigned 64-bit integer does not fit PostgreSQL's bigint.
const wholeNumeric = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'numeric(20,0)',
  fromDriver: BigInt,
  toDriver: String,
});

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

/** Submissions of image work within the last minute. */
export const imageSubmissions = pgTable('image_submissions', {
  id: identity('id'),
  stackId: text('stack_id').notNull(),
  submittedAt: moment('submitted_at').notNull(),
});

/** Places in the lines in front of image engines. */
export const imagePlaces = pgTable('image_places', {
  id: identity('id'),
  stackId: text('stack_id').notNull(),
  rendering: boolean('rendering').notNull(),
  renderingLimit: integer('rendering_limit').notNull(),
  leaseUntil: moment('lease_until').notNull(),
});

/** Kept images, without their bytes. */
export const images = pgTable('images', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  stackId: text('stack_id').notNull(),
  keyId: text('key_id').notNull(),
  route: text('route').$type<'generations' | 'edits'>().notNull(),
  model: text('model').notNull(),
  prompt: text('prompt').notNull(),
  width: integer('width').notNull(),
  height: integer('height').notNull(),
  steps: integer('steps').notNull(),
  guidanceScale: doublePrecision('guidance_scale').notNull(),
  seed: wholeNumeric('seed').notNull(),
  references: integer('reference_count').notNull(),
  sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  sha256: text('sha256').notNull(),
  createdAt: moment('created_at').notNull(),
  expiresAt: moment('expires_at').notNull(),
});

/** What operators had erased. */
export const imageErasures = pgTable('image_erasures', {
  id: identity('id'),
  scope: text('scope').$type<'image' | 'key' | 'stack' | 'account'>().notNull(),
  subject: text('subject').notNull(),
  requestedAt: moment('requested_at').notNull().defaultNow(),
  finishedAt: moment('finished_at'),
});

/** The images of an erasure: proof of what is gone, without what it showed. */
export const erasedImages = pgTable('erased_images', {
  imageId: text('image_id').primaryKey(),
  erasureId: bigint('erasure_id', { mode: 'bigint' }).notNull(),
  stackId: text('stack_id').notNull(),
  keyId: text('key_id').notNull(),
  sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  sha256: text('sha256').notNull(),
  createdAt: moment('created_at').notNull(),
});

/** Which process sweeps, and how far the search for orphans has come: one row. */
export const imageSweeps = pgTable('image_sweeps', {
  id: boolean('id').primaryKey().default(true),
  holder: text('holder'),
  leaseUntil: moment('lease_until').notNull().default(sql`'-infinity'`),
  nextShard: integer('next_shard').notNull().default(0),
  searchedAt: moment('searched_at').notNull().default(sql`'-infinity'`),
});
