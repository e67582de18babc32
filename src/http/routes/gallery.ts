import { z } from 'zod';
import { Fault } from '../../faults/fault.ts';
import { CallerGallery } from '../../images/caller-gallery.ts';
import type { Gallery, GalleryQuery, StoredImage } from '../../images/gallery.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { wholeNumberIn, wrongParameter } from '../query-values.ts';
import { jsonReply, type KeyRequest, type KeyRoute } from '../route.ts';
import { type FileRouteParts, linkAnswer, linkSchema } from './files.ts';
import { ofScope } from './of-scope.ts';

const MAXIMUM_CACHE_SECONDS = 3_600;
const MAXIMUM_PAGE = 100;
const USUAL_PAGE = 20;
const MOMENT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

const imageSchema = z.object({
  id: z.string(),
  object: z.literal('image'),
  created: z.int().describe('Unix time in seconds.'),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().describe('When it is deleted.'),
  key: z.string().describe('The key that made it.'),
  route: z.string().describe('`generations` or `edits`.'),
  model: z.string(),
  prompt: z.string().describe('The prompt in force.'),
  width: z.int(),
  height: z.int(),
  steps: z.int(),
  guidance_scale: z.number(),
  reference_images: z.int().describe('How many there were.'),
  unknown_words: z
    .array(z.string())
    .nullable()
    .describe('Words of the prompt that the model did not know; null where it cannot tell.'),
  size_bytes: z.int(),
  sha256: z.string().describe('Of the PNG.'),
  seed: z.number().describe('An unsigned 64-bit integer.'),
});

const imageListSchema = z.object({
  object: z.literal('list'),
  has_more: z.boolean(),
  next_cursor: z.string().nullable().describe('The `cursor` of the next page.'),
  data: z.array(imageSchema),
});

const removedSchema = z.object({ id: z.string(), object: z.literal('image'), deleted: z.literal(true) });

/** Reads and deletes the images of the key's own stack, until they expire. */
export function galleryRoutes(
  gallery: Gallery,
  parts: Pick<FileRouteParts, 'links' | 'origin'>,
): readonly KeyRoute[] {
  return [
    {
      ...common,
      method: 'GET',
      path: '/v1/images',
      summary: 'List images',
      detail: `The images of the stack, or of the key if it has \`own_images_only\`, newest first. \`limit\` (1 to ${MAXIMUM_PAGE}), \`cursor\`, \`key\`, \`created_from\` and \`created_before\` (ISO 8601) narrow it down.`,
      query: [
        { name: 'limit', meaning: `Images per page: 1 to ${MAXIMUM_PAGE}, ${USUAL_PAGE} when absent.` },
        { name: 'cursor', meaning: 'The `next_cursor` of the page before.' },
        { name: 'key', meaning: 'Only images that this key made.' },
        { name: 'created_from', meaning: 'Only images made at this ISO 8601 time or later.' },
        { name: 'created_before', meaning: 'Only images made before this ISO 8601 time.' },
      ],
      faults: ['invalid-request'],
      answer: jsonReply('ImageList', imageListSchema),
      handle: (request) => listImages(gallery, request),
    },
    {
      ...ofOne,
      method: 'GET',
      path: '/v1/images/:id',
      summary: 'Show an image',
      detail: 'The PNG. `If-None-Match` with its `ETag` is answered 304.',
      faults: [...ofOne.faults, 'storage-away'],
      answer: { contentType: 'image/png', revalidates: true },
      handle: (request) => showImage(gallery, request),
    },
    {
      ...ofOne,
      method: 'DELETE',
      path: '/v1/images/:id',
      summary: 'Delete an image',
      detail: 'Removes the image and all that is stored of it.',
      answer: jsonReply('RemovedImage', removedSchema),
      handle: (request) => removeImage(gallery, request),
    },
    {
      ...ofOne,
      method: 'GET',
      path: '/v1/images/:id/meta',
      summary: 'Show what made an image',
      detail: 'Everything known of an image but its bytes.',
      answer: jsonReply('Image', imageSchema),
      handle: async (request) => jsonText(imageJson(await findImage(gallery, request))),
    },
    {
      ...ofOne,
      method: 'GET',
      path: '/v1/images/:id/url',
      summary: 'Link to an image',
      detail: 'A link that gives the PNG without a key, for an hour.',
      answer: jsonReply('Link', linkSchema),
      handle: async (request) => {
        const { id } = await findImage(gallery, request);
        return await linkAnswer(id, request, parts);
      },
    },
  ];
}

async function listImages(gallery: Gallery, { caller, query, signal }: KeyRequest): Promise<Answer> {
  const page = await new CallerGallery(gallery, caller).list(galleryQuery(query), signal);
  const { nextCursor } = page;
  const head = JSON.stringify({
    object: 'list',
    has_more: nextCursor !== undefined,
    next_cursor: nextCursor ?? null,
  });
  return jsonText(`${head.slice(0, -1)},"data":[${page.images.map(imageJson).join(',')}]}`);
}

/** Reads the page of images that the query string asks for. */
function galleryQuery(query: URLSearchParams): Omit<GalleryQuery, 'stackId'> {
  const keyId = query.get('key');
  const cursor = query.get('cursor');
  const createdFrom = momentOf(query, 'created_from');
  const createdBefore = momentOf(query, 'created_before');
  return {
    limit: wholeNumberIn(query, 'limit', { from: 1, to: MAXIMUM_PAGE }) ?? USUAL_PAGE,
    ...(keyId !== null && { keyId }),
    ...(cursor !== null && { cursor }),
    ...(createdFrom !== undefined && { createdFrom }),
    ...(createdBefore !== undefined && { createdBefore }),
  };
}

function momentOf(query: URLSearchParams, name: string): Date | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  const moment = new Date(text);
  if (MOMENT.test(text) && !Number.isNaN(moment.getTime())) return moment;
  throw wrongParameter(name, 'an ISO 8601 time such as 2026-01-31T12:00:00Z', text);
}

/** The PNG of an image of the caller's stack. */
export async function showImage(gallery: Gallery, request: KeyRequest): Promise<Answer> {
  const image = await findImage(gallery, request);
  const etag = `"${image.sha256}"`;
  const headers = {
    etag,
    'cache-control': cacheControl(image),
    'last-modified': image.createdAt.toUTCString(),
  };
  if (isKnown(request.header('if-none-match'), etag)) {
    return { status: 304, contentType: 'image/png', headers, body: '' };
  }
  const png = await gallery.readPng(image.stackId, image.id, request.signal);
  if (png === undefined) throw notFound();
  return { contentType: 'image/png', headers, body: Buffer.from(png.buffer, png.byteOffset, png.byteLength) };
}

async function removeImage(gallery: Gallery, { caller, params, signal }: KeyRequest): Promise<Answer> {
  const id = params.id ?? '';
  if (!(await new CallerGallery(gallery, caller).remove(id, signal))) throw notFound();
  return jsonAnswer({ id, object: 'image', deleted: true });
}

async function findImage(gallery: Gallery, { caller, params, signal }: KeyRequest): Promise<StoredImage> {
  const image = await new CallerGallery(gallery, caller).find(params.id ?? '', signal);
  if (image === undefined) throw notFound();
  return image;
}

function notFound(): Fault {
  return new Fault('image-not-found', 'This stack has no such image, or has it no more.');
}

/** Only the client's own cache may keep an image, and no longer than the gateway does. */
function cacheControl({ expiresAt }: StoredImage): string {
  const leftSeconds = Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000));
  return `private, max-age=${Math.min(MAXIMUM_CACHE_SECONDS, leftSeconds)}`;
}

function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = ifNoneMatch?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(etag) || tags.includes('*');
}

/** The seed is appended as text: it may be larger than JavaScript's numbers. */
function imageJson(image: StoredImage): string {
  const known = {
    id: image.id,
    object: 'image',
    created: Math.floor(image.createdAt.getTime() / 1000),
    created_at: image.createdAt.toISOString(),
    expires_at: image.expiresAt.toISOString(),
    key: image.keyId,
    route: image.route,
    model: image.model,
    prompt: image.prompt,
    width: image.width,
    height: image.height,
    steps: image.steps,
    guidance_scale: image.guidanceScale,
    reference_images: image.references,
    unknown_words: image.unknownWords,
    size_bytes: image.sizeBytes,
    sha256: image.sha256,
  };
  return `${JSON.stringify(known).slice(0, -1)},"seed":${image.seed}}`;
}

function jsonText(body: string): Answer {
  return { contentType: 'application/json', body };
}

const common = ofScope('images');

const ofOne = {
  ...common,
  faults: ['image-not-found'],
  parameters: [{ name: 'id', meaning: 'The id of the image.' }],
} as const;
