import { z } from 'zod';
import { Fault } from '../../faults/fault.ts';
import { documentAnswer, documentSchema } from '../../knowledge/wire/document-answer.ts';
import { blobKeyOf } from '../../store/image-blobs.ts';
import { ImageRecords, type ImageWithParents } from '../../store/image-records.ts';
import { readBlob } from '../../store/read-blob.ts';
import { listResponsesAnywhere, type ResponseRecord } from '../../store/response-records.ts';
import { listDocumentsAnywhere } from '../../store/sql-knowledge.ts';
import type { Answer } from '../answer.ts';
import { wholeNumberIn } from '../query-values.ts';
import { jsonReply, type OperatorRequest } from '../route.ts';
import { etagOf, etagSchema, objectAnswer } from './admin-answers.ts';
import {
  type AskedPage,
  listSchema,
  pageAnswer,
  pageParameters,
  readPage,
  wrongCursor,
} from './admin-page.ts';
import { requireKnowledge, seenStack } from './admin-rights.ts';
import { type AdminRoute, reading } from './admin-route.ts';
import type { AdminSources } from './admin-sources.ts';

const SMALLEST_WIDTH = 16;
const LARGEST_WIDTH = 1_024;

const imageSchema = z.object({
  id: z.string(),
  stack: z.string(),
  key: z.string(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  route: z.enum(['generations', 'edits']),
  model: z.string(),
  prompt: z.string(),
  size: z.string().describe('As in a request: `1024x1024`.'),
  width: z.int(),
  height: z.int(),
  steps: z.int(),
  guidance_scale: z.number(),
  seed: z.string().describe('An unsigned 64-bit integer, in digits.'),
  reference_images: z.int(),
  parents: z.array(z.string()).describe('The stored images among its references.'),
  unknown_words: z
    .array(z.string())
    .nullable()
    .describe('Words of the prompt that the model did not know; null where it cannot tell.'),
  size_bytes: z.int(),
  sha256: z.string(),
  etag: etagSchema,
});

const responseSchema = z.object({
  id: z.string(),
  stack: z.string(),
  key: z.string(),
  model: z.string(),
  status: z.string(),
  background: z.boolean(),
  previous_response_id: z.string().nullable(),
  conversation: z.string().nullable(),
  size_bytes: z.int(),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime(),
  etag: etagSchema,
});

/** Stored images, documents and responses of the stacks that the operator may see. */
export function storedThingRoutes(sources: AdminSources): readonly AdminRoute[] {
  return [
    {
      ...listing,
      path: '/images',
      summary: 'List images of all stacks',
      detail: 'Stored images with everything that made them, newest first.',
      answer: jsonReply('AdminImageList', listSchema(imageSchema)),
      handle: (request) => listImages(sources, request),
    },
    {
      ...ofImage,
      path: '/images/:id',
      summary: 'Show what made an image',
      detail: 'Everything known of an image but its bytes.',
      answer: jsonReply('AdminImage', imageSchema),
      handle: async (request) => objectAnswer(imageObject(await findImage(sources, request))),
    },
    {
      ...ofImage,
      path: '/images/:id/content',
      summary: 'The bytes of an image',
      detail: `The PNG; with \`width\` (${SMALLEST_WIDTH} to ${LARGEST_WIDTH}) a small copy, no longer than that on its longer side.`,
      query: [{ name: 'width', meaning: 'Of a small copy, in pixels.' }],
      answer: { contentType: 'image/png', orContentType: 'image/jpeg', revalidates: true },
      faults: ['admin-object-not-found', 'invalid-request', 'model-not-ready', 'storage-away'],
      handle: (request) => showContent(sources, request),
    },
    {
      ...listing,
      path: '/knowledge',
      summary: 'List documents of all stacks',
      detail: 'The documents of the knowledge of stacks, by stack and name.',
      answer: jsonReply('AdminDocumentList', listSchema(documentSchema.extend({ stack: z.string() }))),
      handle: (request) => listDocuments(sources, request),
    },
    {
      ...listing,
      path: '/responses',
      summary: 'List responses of all stacks',
      detail: 'Stored responses without their content, newest first.',
      answer: jsonReply('AdminResponseList', listSchema(responseSchema)),
      handle: (request) => listResponses(sources, request),
    },
  ];
}

const listing = {
  ...reading,
  query: [...pageParameters, { name: 'stack', meaning: 'Only those of this stack.' }],
  faults: ['invalid-request', 'admin-object-not-found'],
} as const;
const ofImage = {
  ...reading,
  parameters: [{ name: 'id', meaning: 'The image.' }],
  faults: ['admin-object-not-found'],
} as const;

async function listImages({ pool }: AdminSources, request: OperatorRequest): Promise<Answer> {
  const page = readPage(request.query, 2);
  const rows = await new ImageRecords(pool).listAnywhere(newestFirst(request, page));
  return pageAnswer(rows, page, { view: imageObject, cursor: momentOf });
}

async function listResponses({ pool }: AdminSources, request: OperatorRequest): Promise<Answer> {
  const page = readPage(request.query, 2);
  const rows = await listResponsesAnywhere(pool, newestFirst(request, page));
  return pageAnswer(rows, page, { view: responseObject, cursor: momentOf });
}

async function listDocuments({ pool }: AdminSources, request: OperatorRequest): Promise<Answer> {
  const { operator, query } = request;
  requireKnowledge(operator);
  const page = readPage(query, 2);
  const [stackId, name] = page.after ?? [];
  const rows = await listDocumentsAnywhere(pool, {
    stackId: seenStack(operator, query),
    after: stackId === undefined || name === undefined ? undefined : { stackId, name },
    limit: page.limit + 1,
  });
  return pageAnswer(rows, page, {
    view: (document) => ({ ...documentAnswer(document), stack: document.stackId }),
    cursor: (document) => [document.stackId, document.name],
  });
}

function newestFirst({ operator, query }: OperatorRequest, { limit, after }: AskedPage) {
  const [createdAt, id] = after ?? [];
  if (createdAt !== undefined && !isMoment(createdAt)) throw wrongCursor();
  return {
    stackId: seenStack(operator, query),
    after: createdAt === undefined || id === undefined ? undefined : { createdAt, id },
    limit: limit + 1,
  };
}

/** Whether `momentOf` can have written it: other texts that JavaScript takes for a time are none for PostgreSQL. */
function isMoment(text: string): boolean {
  const time = new Date(text);
  return /^(?!0000)\d{4}-/.test(text) && !Number.isNaN(time.getTime()) && time.toISOString() === text;
}

function momentOf({ createdAt, id }: { readonly createdAt: Date; readonly id: string }): readonly string[] {
  return [createdAt.toISOString(), id];
}

async function findImage({ pool }: AdminSources, request: OperatorRequest): Promise<ImageWithParents> {
  const { operator, params } = request;
  const image = await new ImageRecords(pool).findWithParents(params.id ?? '');
  const isSeen = operator.stackId === undefined || image?.stackId === operator.stackId;
  if (image === undefined || !isSeen) throw noImage();
  return image;
}

async function showContent(sources: AdminSources, request: OperatorRequest): Promise<Answer> {
  const image = await findImage(sources, request);
  const width = wholeNumberIn(request.query, 'width', { from: SMALLEST_WIDTH, to: LARGEST_WIDTH });
  const etag = `"${image.sha256}${width === undefined ? '' : `-${width}`}"`;
  const headers = { etag, 'cache-control': 'private, max-age=3600' };
  if (request.header('if-none-match') === etag)
    return { status: 304, contentType: 'image/png', headers, body: '' };
  const bytes = await readBlob(sources.blobs, blobKeyOf(image.id), request.signal);
  if (bytes === undefined) throw noImage();
  if (width === undefined) return { contentType: 'image/png', headers, body: bufferOf(bytes) };
  const work = { stackId: image.stackId, signal: request.signal, longerSide: width };
  const small = await sources.pictures.preview(bytes, work);
  return { contentType: small.mediaType, headers, body: bufferOf(small.bytes) };
}

function noImage(): Fault {
  return new Fault('admin-object-not-found', 'There is no such image, or it is gone.');
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function imageObject(image: ImageWithParents): z.infer<typeof imageSchema> {
  return {
    id: image.id,
    stack: image.stackId,
    key: image.keyId,
    created_at: image.createdAt.toISOString(),
    expires_at: image.expiresAt.toISOString(),
    route: image.route,
    model: image.model,
    prompt: image.prompt,
    size: `${image.width}x${image.height}`,
    width: image.width,
    height: image.height,
    steps: image.steps,
    guidance_scale: image.guidanceScale,
    seed: String(image.seed),
    reference_images: image.references,
    parents: image.parents,
    unknown_words: image.unknownWords,
    size_bytes: image.sizeBytes,
    sha256: image.sha256,
    etag: etagOf(image.sha256),
  };
}

function responseObject(response: ResponseRecord): z.infer<typeof responseSchema> {
  const object = {
    id: response.id,
    stack: response.stackId,
    key: response.keyId,
    model: response.model,
    status: response.status,
    background: response.background,
    previous_response_id: response.previousId,
    conversation: response.conversationId,
    size_bytes: response.sizeBytes,
    created_at: response.createdAt.toISOString(),
    expires_at: response.expiresAt.toISOString(),
  };
  return { ...object, etag: etagOf(object) };
}
