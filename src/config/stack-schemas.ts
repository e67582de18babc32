import * as z from 'zod';
import { bucketShape, pathOrBucket } from './bucket-schema.ts';
import { budgetSchema } from './budget-schemas.ts';
import { planNames } from './config.ts';
import { keyScopes } from './key-scopes.ts';
import { PLAYGROUND_KEY } from './playground-key.ts';
import { TEMPERATURE } from './sampling-ranges.ts';
import {
  addressOrRange,
  choice,
  decimal,
  flag,
  fullList,
  identifier,
  list,
  mapping,
  prose,
  section,
  text,
  wholeNumber,
} from './value-schemas.ts';

function ceiling(description: string) {
  const expected = 'a whole number of at least 1, or null';
  return z.int(expected).min(1, expected).nullable().optional().describe(`${description}; null: no limit.`);
}

function limit(description: string) {
  return wholeNumber().optional().describe(description);
}

const limitShape = {
  tokens_per_day: ceiling('Tokens per UTC day for the whole stack, prompts and answers together'),
  requests_per_minute: ceiling('Requests per minute for the whole stack'),
  concurrent_requests: ceiling('Requests at the same time for the whole stack'),
  context_window: ceiling("Tokens of prompt and answer together, unless the engine's own window is smaller"),
  storage_bytes: ceiling(
    'Bytes of stored images, knowledge documents, responses and conversations of the stack together',
  ),
  extraction: section({
    files: limit('Files per request.'),
    document_bytes: limit('Bytes of all documents of a request together. Example: `8000000` (8 MB).'),
    pages: limit('Pages of all documents of a request together.'),
    image_bytes: limit('Bytes of all images of a request together. Example: `5000000` (5 MB).'),
    megapixels: limit('Size of one image, in millions of pixels.'),
  }).describe('Limits of document and image extraction.'),
  pdf: section({
    html_bytes: limit('Bytes of the HTML, sent or written by the model. Example: `2000000` (2 MB).'),
    pages: limit('Pages of the printed document.'),
  }).describe('Limits of PDF generation.'),
  images: section({
    submissions_per_minute: limit('Images asked for per minute, generated and edited together.'),
    in_flight: limit('Images waiting or rendering at the same time.'),
    rendering: limit('Images rendering at the same time.'),
    queue_wait_seconds: limit('Seconds an image may wait for its turn.'),
  }).describe('Limits of the image routes, for the whole stack.'),
};

/** Overrides of a plan's limits. */
export const limitsSchema = section(limitShape);

/** Limits of a key. */
export const keyLimitsSchema = section({
  requests_per_minute: ceiling('Requests per minute with this key'),
  concurrent_requests: ceiling('Requests at the same time with this key'),
});

const keyIdExpected = `another id than "${PLAYGROUND_KEY}", which is the key of the playground`;
const secretExpected = '16 to 200 printable ASCII characters without spaces';

const key = mapping({
  id: identifier()
    .refine((id) => id !== PLAYGROUND_KEY, keyIdExpected)
    .describe('Name of the key, unique in its stack. Example: `web`.'),
  secret: z
    .string(secretExpected)
    .regex(/^[\x21-\x7e]{16,200}$/, secretExpected)
    .optional()
    .describe(
      'The key that clients send, 16 to 200 printable characters, stored only as a hash; absent: one is generated, and shown once on a terminal or kept in `keys` in `data_dir`.',
    ),
  prompt: text()
    .optional()
    .describe('Prompt of image requests that bring none. Example: `a watercolour fox`.'),
  retrieval: flag()
    .default(false)
    .describe("Whether excerpts of the stack's knowledge are added to chat and messages."),
  knowledge: choice(['read', 'write'])
    .optional()
    .describe(
      'Whether the key may list (`read`) or also change (`write`) the knowledge of its stack; absent: neither.',
    ),
  expires_at: z.iso
    .datetime({ offset: true, error: 'a timestamp such as 2027-01-01T00:00:00Z' })
    .optional()
    .describe('When the key stops working; absent: never. Example: `2027-01-01T00:00:00Z`.'),
  scopes: fullList(choice(keyScopes))
    .optional()
    .describe(
      `Parts of the API that the key may use, of ${keyScopes.map((scope) => `\`${scope}\``).join(', ')}; absent: all. Example: \`[chat, models]\`.`,
    ),
  models: fullList(text())
    .optional()
    .describe(
      'Models that the key may use, in every part of the API: names of the text model of its stack, the image model, the embeddings model; absent: all. Example: `[qwen3-32b]`.',
    ),
  allowed_ips: fullList(addressOrRange())
    .optional()
    .describe('Addresses and ranges from which the key may be used; absent: all. Example: `[10.0.0.0/8]`.'),
  read_only: flag()
    .default(false)
    .describe('Whether the key may only read: requests that change or cost something are refused.'),
  own_images_only: flag()
    .default(false)
    .describe('Whether the key sees only the images that were made with it, not all of its stack.'),
  limits: keyLimitsSchema.describe('Limits of this key alone, within those of its stack.'),
  budget: budgetSchema.optional().describe('Money that may be spent with this key; absent: no budget.'),
});

const sourceExpected = 'the path of a file or folder, or a URL such as s3://bucket/prefix';

const stack = mapping({
  id: identifier().describe('Name of the stack: lower-case letters, digits and `-`. Example: `shop`.'),
  account: identifier().default('default').describe('Account the stack belongs to. Example: `acme`.'),
  plan: choice(planNames).default('max').describe('Plan whose limits apply.'),
  image_plan: flag().default(false).describe('Whether the image routes may be used.'),
  text: z
    .union([text(), fullList(text())], 'the name of a text engine, or a list of names')
    .optional()
    .describe(
      'Name of an engine under `engines.text`, or a list: the first is served, the others stand in when it fails. Absent: the first engine.',
    ),
  models: fullList(text())
    .optional()
    .describe(
      "Names clients may send as `model`, the first is the served one; absent: the engine's own. Example: `[qwen3-32b]`.",
    ),
  image: text().optional().describe('Name of an engine under `engines.image`; absent: the first.'),
  system_prompt: prose().optional().describe('System prompt of requests that bring none; absent: none.'),
  temperature: decimal(TEMPERATURE)
    .optional()
    .describe("Temperature of requests that bring none; absent: the model's recommended one, else 0.7."),
  paused: flag()
    .default(false)
    .describe('Whether the stack starts paused for inactivity; the first request wakes it.'),
  responses: section({
    store: flag()
      .default(true)
      .describe(
        'Whether [responses](responses.md) and conversations may be stored; false: nothing of a response is kept, and `store` is answered false.',
      ),
  }).describe('Stored responses.'),
  limits: limitsSchema.describe(
    'Limits of this stack alone, with the keys of a plan. What is left out stays as the plan says.',
  ),
  budget: budgetSchema.optional().describe('Money that the stack may spend; absent: no budget.'),
  knowledge: list(z.union([pathOrBucket(sourceExpected), mapping(bucketShape)], sourceExpected)).describe(
    'Files, folders (`docs/`) and buckets (`s3://bucket/prefix`) to retrieve from; paths are relative to the configuration file. [Folders and buckets are watched](knowledge.md#folders-and-buckets). A bucket has the S3 settings of `blobs`, or is a mapping with the keys of `blobs`. Example: `[docs/]`.',
  ),
  keys: list(key).describe('Keys that the file owns.'),
});

const plan = () => section(limitShape);

/** The keys under `plans`. */
export const planShape = {
  go: plan().describe('Limits of the plan Go.'),
  pro: plan().describe('Limits of the plan Pro.'),
  max: plan().describe('Limits of the plan Max.'),
  enterprise: plan().describe('Limits of the plan Enterprise; what is left out is as in Max.'),
};

/** The value of `stacks`. */
export const stacksSchema = list(stack);
