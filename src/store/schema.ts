import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  customType,
  date,
  doublePrecision,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';
import type { LimitKind } from '../access/limit-subject.ts';
import type { KeyLimits, LimitOverrides, PlanName } from '../config/config.ts';
import type { DocumentState } from '../knowledge/knowledge-document.ts';

// The tables as TypeScript sees them. The SQL files in migrations/ make them; a test compares the two.

const moment = (name: string) => timestamp(name, { withTimezone: true });
const identity = (name: string) => bigint(name, { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity();
// An unsigned 64-bit integer does not fit PostgreSQL's bigint.
const wholeNumeric = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'numeric(20,0)',
  fromDriver: BigInt,
  toDriver: String,
});

const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

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
    limits: jsonb('limits').$type<KeyLimits>().notNull().default({}),
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

/** What processes hold of ceilings. */
export const limitShares = pgTable(
  'limit_shares',
  {
    kind: text('kind').$type<LimitKind>().notNull(),
    stackId: text('stack_id').notNull(),
    keyId: text('key_id').notNull(),
    day: date('day').notNull(),
    holder: text('holder').notNull(),
    settled: bigint('settled', { mode: 'number' }).notNull(),
    reserved: bigint('reserved', { mode: 'number' }).notNull(),
    granted: bigint('granted', { mode: 'number' }).notNull(),
    leaseUntil: moment('lease_until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.stackId, table.keyId, table.day, table.holder] })],
);

/** What was used, summed per day in UTC. */
export const usageDays = pgTable(
  'usage_days',
  {
    day: date('day').notNull(),
    accountId: text('account_id').notNull(),
    stackId: text('stack_id').notNull(),
    keyId: text('key_id').notNull(),
    endpoint: text('endpoint').notNull(),
    model: text('model').notNull(),
    requests: bigint('requests', { mode: 'number' }).notNull(),
    promptTokens: bigint('prompt_tokens', { mode: 'number' }).notNull(),
    completionTokens: bigint('completion_tokens', { mode: 'number' }).notNull(),
    pages: bigint('pages', { mode: 'number' }).notNull(),
    images: bigint('images', { mode: 'number' }).notNull(),
    pdfPages: bigint('pdf_pages', { mode: 'number' }).notNull(),
    clientErrors: bigint('client_errors', { mode: 'number' }).notNull(),
    limitErrors: bigint('limit_errors', { mode: 'number' }).notNull(),
    serverErrors: bigint('server_errors', { mode: 'number' }).notNull(),
    gone: bigint('gone', { mode: 'number' }).notNull(),
    latencyMs: doublePrecision('latency_ms').notNull(),
    maxLatencyMs: doublePrecision('max_latency_ms').notNull(),
    latencyCounts: bigint('latency_counts', { mode: 'number' }).array().notNull(),
  },
  ({ stackId, day, accountId, keyId, endpoint, model }) => [
    primaryKey({ columns: [stackId, day, accountId, keyId, endpoint, model] }),
  ],
);

/** The last batch of usage of each process that was written. */
export const usageWriters = pgTable('usage_writers', {
  process: text('process').primaryKey(),
  sequence: bigint('sequence', { mode: 'number' }).notNull(),
  writtenAt: moment('written_at').notNull().defaultNow(),
});

/** Documents of knowledge bases: the newest version of each, and which one is found. */
export const knowledgeDocuments = pgTable('knowledge_documents', {
  id: text('id').primaryKey(),
  stackId: text('stack_id').notNull(),
  name: text('name').notNull(),
  declared: boolean('declared').notNull(),
  createdAt: moment('created_at').notNull().defaultNow(),
  updatedAt: moment('updated_at').notNull().defaultNow(),
  version: integer('version').notNull().default(1),
  blob: text('blob').notNull(),
  sha256: text('sha256').notNull(),
  sizeBytes: bigint('size_bytes', { mode: 'number' }).notNull(),
  state: text('state').$type<DocumentState>().notNull().default('queued'),
  progress: doublePrecision('progress').notNull().default(0),
  failure: text('failure'),
  cutChunks: integer('cut_chunks'),
  holder: text('holder'),
  leaseUntil: moment('lease_until'),
  attempts: integer('attempts').notNull().default(0),
  retryAt: moment('retry_at').notNull().defaultNow(),
  searchableVersion: integer('searchable_version'),
  chunks: integer('chunks').notNull().default(0),
  embeddingModel: text('embedding_model'),
});

/** The passages of documents. */
export const knowledgeChunks = pgTable(
  'knowledge_chunks',
  {
    documentId: text('document_id').notNull(),
    version: integer('version').notNull(),
    ordinal: integer('ordinal').notNull(),
    text: text('text').notNull(),
    headings: text('headings').array().notNull(),
    page: integer('page'),
    vectors: bytes('vectors'),
    embeddingModel: text('embedding_model'),
  },
  (table) => [primaryKey({ columns: [table.documentId, table.version, table.ordinal] })],
);

/** What can be found in a stack, as a name that changes with it. */
export const knowledgeGenerations = pgTable('knowledge_generations', {
  stackId: text('stack_id').primaryKey(),
  generation: text('generation').notNull(),
});

/** Bytes and passages that are still to be removed. */
export const knowledgeLeftovers = pgTable('knowledge_leftovers', {
  id: identity('id'),
  blob: text('blob'),
  documentId: text('document_id'),
  version: integer('version'),
  removeAt: moment('remove_at').notNull().defaultNow(),
});
