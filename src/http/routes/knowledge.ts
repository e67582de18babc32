import { z } from 'zod';
import type { StorageRoom } from '../../access/storage-room.ts';
import { formWithFiles } from '../../files/form-with-files.ts';
import type { StackFiles } from '../../files/stack-files.ts';
import type { KnowledgeSearch } from '../../knowledge/knowledge-search.ts';
import { type KnowledgeService, MAX_DOCUMENT_BYTES } from '../../knowledge/service/knowledge-service.ts';
import { documentAnswer, documentSchema } from '../../knowledge/wire/document-answer.ts';
import { foundPassages, foundPassagesSchema } from '../../knowledge/wire/found-passages.ts';
import { MAX_FILES, readKnowledgeForm } from '../../knowledge/wire/read-knowledge-form.ts';
import { formOf } from '../../lib/form.ts';
import { freeMemory } from '../../lib/free-memory.ts';
import { parseField } from '../../text/wire/parse-field.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { formBody, jsonBody } from '../body-rules.ts';
import { wholeNumberIn } from '../query-values.ts';
import { jsonReply, type KeyRequest, type KeyRoute } from '../route.ts';
import { ofScope } from './of-scope.ts';

const PAGE = { from: 1, to: 100 };
const USUAL_PAGE = 20;
const PASSAGES = { most: 50, usual: 8 };
const MAX_QUESTION_CHARACTERS = 10_000;

const requestSchema = z.object({
  file: z
    .union([z.file(), z.array(z.file())])
    .optional()
    .describe(`Markdown, text, HTML, PDF, DOCX or CSV; repeated for up to ${MAX_FILES} documents.`),
  file_id: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('Stored files, in addition to those sent or in their place; repeated once per file.'),
  name: z.string().optional().describe('Goes with one document; else the name of its file counts.'),
});
const searchSchema = z.object(
  {
    query: z.string().min(1).max(MAX_QUESTION_CHARACTERS).describe('A question, as a user would ask it.'),
    limit: z.int().min(1).max(PASSAGES.most).default(PASSAGES.usual).describe('The most passages.'),
  },
  'an object with `query`',
);
const addedSchema = z.object({ object: z.literal('list'), data: z.array(documentSchema) });
const listSchema = addedSchema.extend({
  has_more: z.boolean(),
  next_cursor: z.string().nullable().describe('The `cursor` of the next page.'),
});
const removedSchema = z.object({
  id: z.string(),
  object: z.literal('knowledge.document'),
  deleted: z.literal(true),
});
const parameters = [{ name: 'id', meaning: 'The id of the document.' }];

/** The documents of the key's own stack, which answers may quote. */
export function knowledgeRoutes(
  service: KnowledgeService,
  storage: Pick<StorageRoom, 'take'>,
  files: StackFiles,
  search: KnowledgeSearch,
): readonly KeyRoute[] {
  return [
    {
      ...common,
      method: 'POST',
      path: '/v1/knowledge',
      knowledge: 'write',
      body: formBody(() => MAX_DOCUMENT_BYTES),
      summary: 'Add documents',
      detail:
        'Keeps documents and has them indexed; the answer does not wait for that. A document in place of one with the same name is found in its old version until the new one is ready.',
      request: { schema: requestSchema, schemaName: 'KnowledgeRequest', example: '-F file=@handbook.md' },
      answer: jsonReply('AddedDocuments', addedSchema),
      faults: [
        'invalid-request',
        'document-unreadable',
        'document-empty',
        'document-too-large',
        'file-too-large',
        'document-declared',
        'knowledge-full',
        'document-not-stored',
        'storage-quota-exceeded',
        'storage-full',
      ],
      handle: async (request) => {
        const { caller, body, signal } = request;
        const reading = { stackId: caller.stack.id, mostBytes: MAX_DOCUMENT_BYTES, request, field: 'file' };
        const sources = readKnowledgeForm(await formWithFiles(formOf(body), files, reading));
        const sizeBytes = sources.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
        using _room = await storage.take(caller, sizeBytes);
        const documents = await service.add(caller.stack.id, sources, { signal });
        for (const { bytes } of sources) freeMemory(bytes);
        return jsonAnswer({ object: 'list', data: documents.map(documentAnswer) });
      },
    },
    {
      ...common,
      method: 'GET',
      path: '/v1/knowledge',
      knowledge: 'read',
      summary: 'List documents',
      detail: 'The documents of the stack in the order of their names.',
      query: [
        { name: 'limit', meaning: `Documents per page: 1 to ${PAGE.to}, ${USUAL_PAGE} when absent.` },
        { name: 'cursor', meaning: 'The `next_cursor` of the page before.' },
      ],
      answer: jsonReply('DocumentList', listSchema),
      faults: ['invalid-request'],
      handle: (request) => list(service, request),
    },
    {
      ...common,
      method: 'POST',
      path: '/v1/knowledge/search',
      knowledge: 'read',
      isForReaders: true,
      body: jsonBody,
      summary: 'Search documents',
      detail:
        'The passages that an answer to the question would be drawn from, best first, with their scores.',
      request: {
        schema: searchSchema,
        schemaName: 'KnowledgeSearchRequest',
        example: '{"query": "When do you open on Saturday?"}',
      },
      answer: jsonReply('FoundPassages', foundPassagesSchema),
      faults: ['invalid-request'],
      handle: async ({ caller, body, meter, signal }) => {
        const { query, limit } = parseField(searchSchema, body);
        const ask = { most: limit, signal, span: meter.trace };
        return jsonAnswer(foundPassages(await search.search(caller.stack.id, query, ask)));
      },
    },
    {
      ...common,
      method: 'GET',
      path: '/v1/knowledge/:id',
      knowledge: 'read',
      summary: 'Show a document',
      detail: 'What is known of a document, and how far it is indexed.',
      parameters,
      answer: jsonReply('KnowledgeDocument', documentSchema),
      faults: ['document-not-found'],
      handle: async ({ caller, params }) =>
        jsonAnswer(documentAnswer(await service.get(caller.stack.id, params.id ?? ''))),
    },
    {
      ...common,
      method: 'DELETE',
      path: '/v1/knowledge/:id',
      knowledge: 'write',
      summary: 'Remove a document',
      detail:
        'Removes the document and all that is stored of it. Stored responses that listed its passages (`include: ["knowledge"]`) keep their text.',
      parameters,
      answer: jsonReply('RemovedDocument', removedSchema),
      faults: ['document-not-found', 'document-declared'],
      handle: async ({ caller, params }) => {
        const id = params.id ?? '';
        await service.remove(caller.stack.id, id);
        return jsonAnswer({ id, object: 'knowledge.document', deleted: true });
      },
    },
  ];
}

async function list(service: KnowledgeService, { caller, query }: KeyRequest): Promise<Answer> {
  const cursor = query.get('cursor');
  const { documents, nextCursor } = await service.list({
    stackId: caller.stack.id,
    limit: wholeNumberIn(query, 'limit', PAGE) ?? USUAL_PAGE,
    ...(cursor !== null && { cursor }),
  });
  return jsonAnswer({
    object: 'list',
    has_more: nextCursor !== undefined,
    next_cursor: nextCursor ?? null,
    data: documents.map(documentAnswer),
  });
}

const common = ofScope('knowledge');
