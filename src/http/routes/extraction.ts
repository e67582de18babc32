import { z } from 'zod';
import type { PlanLimits } from '../../access/plan-limits.ts';
import type { ExtractionRoute } from '../../documents/extraction-request.ts';
import type { ExtractionService } from '../../documents/extraction-service.ts';
import { extractionAnswer, extractionAnswerSchema } from '../../documents/wire/extraction-answer.ts';
import { readExtractionForm } from '../../documents/wire/read-extraction-form.ts';
import type { FaultCode } from '../../faults/fault-table.ts';
import { formWithFiles } from '../../files/form-with-files.ts';
import type { StackFiles } from '../../files/stack-files.ts';
import { formOf } from '../../lib/form.ts';
import { MOST_OUTPUT_TOKENS } from '../../text/text-limits.ts';
import { jsonAnswer } from '../answer.ts';
import { formBody } from '../body-rules.ts';
import { jsonReply, type KeyRoute } from '../route.ts';
import { ofScope } from './of-scope.ts';

const faults: readonly FaultCode[] = [
  'invalid-request',
  'document-unreadable',
  'document-empty',
  'schema-invalid',
  'context-length-exceeded',
  'schema-too-large',
  'field-too-large',
  'file-too-large',
  'extraction-limit-exceeded',
  'field-unacceptable',
  'model-not-allowed',
  'token-budget-exceeded',
  'budget-exceeded',
  'extraction-invalid',
  'engine-failed',
  'model-not-ready',
  'extraction-timeout',
];

const requestSchema = z.object({
  file: z
    .file()
    .optional()
    .describe('At least one file in `file` or `files`; both combine in the order sent.'),
  files: z
    .array(z.file())
    .optional()
    .describe('Repeated once per file. Several files need the plan pro or higher.'),
  file_id: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('Stored files, in addition to those sent or in their place; repeated once per file.'),
  schema: z.string().describe('A JSON Schema as text, at most 65,536 bytes.'),
  system: z.string().optional().describe("Replaces the stack's system prompt."),
  user: z.string().optional().describe('Said in addition to the instruction of the extraction.'),
  max_tokens: z.int().min(1).max(MOST_OUTPUT_TOKENS).default(4_000),
  citations: z.boolean().default(false).describe('Adds where each value stands.'),
  confidence: z.boolean().default(false).describe('Adds how likely each value is right.'),
});

interface Kind {
  readonly route: ExtractionRoute;
  readonly path: string;
  readonly summary: string;
  readonly detail: string;
  readonly bytes: (limits: PlanLimits['extraction']) => number;
}

const KINDS: readonly Kind[] = [
  {
    route: 'documents',
    path: '/v1/documents/extract',
    summary: 'Extraction from PDFs',
    detail: 'Reads PDFs, by OCR where they are scanned, and answers with JSON that satisfies `schema`.',
    bytes: ({ documentBytes }) => documentBytes,
  },
  {
    route: 'images',
    path: '/v1/images/extract',
    summary: 'Extraction from images',
    detail: 'Reads JPEG, PNG and WEBP images by OCR, and answers with JSON that satisfies `schema`.',
    bytes: ({ imageBytes }) => imageBytes,
  },
];

/** Extraction of JSON from PDFs and from images. */
export function extractionRoutes(service: ExtractionService, files: StackFiles): readonly KeyRoute[] {
  return KINDS.map((kind) => extractionRoute(service, files, kind));
}

function extractionRoute(
  service: ExtractionService,
  files: StackFiles,
  { route, path, summary, detail, bytes }: Kind,
): KeyRoute {
  return {
    ...ofScope('extract'),
    method: 'POST',
    path,
    body: formBody((limits) => bytes(limits.extraction)),
    summary,
    detail,
    request: {
      schema: requestSchema,
      schemaName: 'ExtractionRequest',
      example: `-F file=@${route === 'documents' ? 'invoice.pdf' : 'receipt.jpg'} -F "schema=<schema.json"`,
    },
    answer: jsonReply('ExtractionAnswer', extractionAnswerSchema),
    faults,
    handle: async (request) => {
      const { caller } = request;
      const mostBytes = bytes(caller.plan.limits.extraction);
      const reading = { stackId: caller.stack.id, mostBytes, request, field: 'file' };
      const form = readExtractionForm(await formWithFiles(formOf(request.body), files, reading), route);
      return jsonAnswer(extractionAnswer(await service.extract(caller, form, request)));
    },
  };
}
