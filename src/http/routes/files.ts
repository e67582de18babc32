import { z } from 'zod';
import type { FaultCode } from '../../faults/fault-table.ts';
import type { FileLinks } from '../../files/file-links.ts';
import type { FileService } from '../../files/file-service.ts';
import { fileList, fileListSchema, fileObject, fileSchema, seconds } from '../../files/wire/file-object.ts';
import { fileQuery, MAX_LIMIT, MAX_PAGE } from '../../files/wire/file-query.ts';
import { readFileForm } from '../../files/wire/read-file-form.ts';
import { readUploadRequest, uploadRequestSchema } from '../../files/wire/upload-request.ts';
import { formOf } from '../../lib/form.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { formBody, jsonBody } from '../body-rules.ts';
import type { LinkOrigin } from '../link-origin.ts';
import { jsonReply, type KeyRequest, type KeyRoute } from '../route.ts';
import { fileAnswer } from './file-answer.ts';
import { ofScope } from './of-scope.ts';

const uploadSchema = z.object({
  file: z.file().describe('The file.'),
  purpose: z.string().default('user_data').describe('Any word; it is kept, and without effect.'),
  'expires_after[anchor]': z.literal('created_at').optional(),
  'expires_after[seconds]': z.int().optional().describe('Deletes the file earlier than files are.'),
});
const reservedSchema = z.object({
  id: z.string().describe('The id of the file, once its bytes are there.'),
  object: z.literal('file.upload'),
  method: z.literal('PUT'),
  url: z.string().describe('Takes the bytes, once, without a key.'),
  expires_at: z.int().describe('Unix time in seconds.'),
});
const removedSchema = z.object({ id: z.string(), object: z.literal('file'), deleted: z.literal(true) });

/** The schema of a link in the API. */
export const linkSchema = z.object({
  url: z.string().describe('Gives the bytes to anybody who has it.'),
  expires_at: z.int().describe('Unix time in seconds.'),
});

const storageFaults: readonly FaultCode[] = [
  'invalid-request',
  'file-too-large',
  'storage-quota-exceeded',
  'storage-full',
];

export interface FileRouteParts {
  readonly files: FileService;
  readonly links: FileLinks;
  readonly origin: LinkOrigin;
}

/** The files of the key's own stack. */
export function fileRoutes({ files, links, origin }: FileRouteParts): readonly KeyRoute[] {
  return [
    {
      ...common,
      method: 'POST',
      path: '/v1/files',
      body: formBody(() => files.maxBytes),
      summary: 'Upload a file',
      detail: 'Keeps a file, whose id other requests can name as `file_id`.',
      request: { schema: uploadSchema, schemaName: 'FileRequest', example: '-F file=@invoice.pdf' },
      answer: jsonReply('File', fileSchema),
      faults: [...storageFaults, 'file-not-stored'],
      handle: async ({ caller, body, signal }) =>
        jsonAnswer(fileObject(await files.add(caller, readFileForm(formOf(body)), signal))),
    },
    {
      ...common,
      method: 'POST',
      path: '/v1/files/uploads',
      body: jsonBody,
      summary: 'Announce a file',
      detail:
        'Reserves an id, and gives a link that takes the bytes of the file within an hour, without a key.',
      request: { schema: uploadRequestSchema, schemaName: 'UploadRequest', example: uploadExample },
      answer: jsonReply('ReservedFile', reservedSchema),
      faults: storageFaults,
      handle: async (request) => {
        const { caller } = request;
        const { id } = await files.reserve(caller, readUploadRequest(request.body));
        const link = await links.sign({ method: 'PUT', id, stackId: caller.stack.id, keyId: caller.key.id });
        const url = origin.urlOf(link.path, request);
        const expires_at = seconds(link.expiresAt);
        return jsonAnswer({ id, object: 'file.upload', method: 'PUT', url, expires_at });
      },
    },
    {
      ...common,
      method: 'GET',
      path: '/v1/files',
      summary: 'List files',
      detail: 'The files of the stack, newest first.',
      query: [
        {
          name: 'limit',
          meaning: `Files per page: 1 to ${MAX_LIMIT}; a page has ${MAX_PAGE} at most.`,
        },
        { name: 'after', meaning: 'The `last_id` of the page before.' },
        { name: 'order', meaning: '`desc`, newest first, or `asc`.' },
        { name: 'purpose', meaning: 'Only files with this purpose.' },
      ],
      answer: jsonReply('FileList', fileListSchema),
      faults: ['invalid-request'],
      handle: async ({ caller, query }) =>
        jsonAnswer(fileList(await files.list({ stackId: caller.stack.id, ...fileQuery(query) }))),
    },
    {
      ...ofOne,
      method: 'GET',
      path: '/v1/files/:id',
      summary: 'Show a file',
      detail: 'What is known of a file.',
      answer: jsonReply('File', fileSchema),
      handle: async ({ caller, params }) => jsonAnswer(fileObject(await files.get(caller, params.id ?? ''))),
    },
    {
      ...ofOne,
      method: 'DELETE',
      path: '/v1/files/:id',
      summary: 'Delete a file',
      detail: 'Removes the file and all that is stored of it.',
      answer: jsonReply('RemovedFile', removedSchema),
      handle: async ({ caller, params }) => {
        const id = params.id ?? '';
        await files.remove(caller, id);
        return jsonAnswer({ id, object: 'file', deleted: true });
      },
    },
    {
      ...ofOne,
      method: 'GET',
      path: '/v1/files/:id/content',
      summary: 'Read a file',
      detail: 'The bytes of a file.',
      faults: [...ofOne.faults, 'storage-away'],
      answer: { contentType: 'application/octet-stream' },
      handle: async (request) =>
        fileAnswer(await files.content(request.caller, request.params.id ?? '', request)),
    },
    {
      ...ofOne,
      method: 'GET',
      path: '/v1/files/:id/url',
      summary: 'Link to a file',
      detail: 'A link that gives the bytes of the file without a key, for an hour.',
      answer: jsonReply('Link', linkSchema),
      handle: async (request) => {
        const { id } = await files.get(request.caller, request.params.id ?? '');
        return await linkAnswer(id, request, { links, origin });
      },
    },
  ];
}

/** A link that reads a file or an image. */
export async function linkAnswer(
  id: string,
  request: KeyRequest,
  { links, origin }: Omit<FileRouteParts, 'files'>,
): Promise<Answer> {
  const { stack, key } = request.caller;
  const link = await links.sign({ method: 'GET', id, stackId: stack.id, keyId: key.id });
  return jsonAnswer({ url: origin.urlOf(link.path, request), expires_at: seconds(link.expiresAt) });
}

const common = ofScope('files');

const ofOne = {
  ...common,
  faults: ['file-not-found'],
  parameters: [{ name: 'id', meaning: 'The id of the file.' }],
} as const;

const uploadExample = '{"filename": "invoice.pdf", "bytes": 81234}';
