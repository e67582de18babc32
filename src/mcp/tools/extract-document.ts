import { z } from 'zod';
import type { ExtractionRoute, NamedFile } from '../../documents/extraction-request.ts';
import type { ExtractionService } from '../../documents/extraction-service.ts';
import { readExtractionForm } from '../../documents/wire/read-extraction-form.ts';
import { Fault } from '../../faults/fault.ts';
import type { FileService } from '../../files/file-service.ts';
import { pictureFormat } from '../../pictures/picture-format.ts';
import { type McpTool, type ToolWork, tool } from '../tool.ts';
import { toolForm } from '../tool-form.ts';

export interface ExtractDocumentParts {
  readonly extraction: Pick<ExtractionService, 'extract'>;
  readonly files: Pick<FileService, 'content'>;
}

/** Larger files are uploaded first: a data URI passes through the model's context. */
const MAX_DATA_URI_BYTES = 1024 * 1024;
const DATA_URI = /^data:[\w.+/-]*(?:;[\w.=+-]*)*;base64,/;

export function extractDocument({ extraction, files }: ExtractDocumentParts): McpTool {
  return tool({
    name: 'extract_document',
    title: 'Extract data from a document',
    description:
      'Reads a PDF or picture, by OCR if it is scanned, and answers with JSON that satisfies a JSON Schema.',
    input: z.object({
      file: z.string().describe('Id of an uploaded file (file_…), or a data: URI of at most 1 MB.'),
      schema: z.looseObject({}).describe('JSON Schema of the answer.'),
      instructions: z.string().optional(),
      citations: z.boolean().optional().describe('Adds page, quote and box of each value.'),
    }),
    output: z.object({
      data: z.looseObject({}),
      pages: z.int(),
      ocr_used: z.boolean(),
      citations: z.looseObject({}).optional(),
    }),
    isReadOnly: true,
    scope: 'extract',
    isForReaders: false,
    isOffered: () => true,
    call: async ({ file, schema, instructions = '', citations = false }, work) => {
      const { name, bytes } = await read(files, file, work);
      const route: ExtractionRoute = pictureFormat(bytes) === undefined ? 'documents' : 'images';
      const fields = { schema: JSON.stringify(schema), user: instructions, citations };
      const form = toolForm(fields, [{ field: 'file', fileName: name, bytes }]);
      const extracted = await extraction.extract(work.caller, readExtractionForm(form, route), work);
      const { data, pages, ocrUsed } = extracted;
      const cited = extracted.citations === undefined ? {} : { citations: extracted.citations };
      return { data: { data, pages, ocr_used: ocrUsed, ...cited } };
    },
  });
}

async function read(files: ExtractDocumentParts['files'], file: string, work: ToolWork): Promise<NamedFile> {
  if (!file.startsWith('data:')) return await files.content(work.caller, file, work);
  const [head] = DATA_URI.exec(file) ?? [];
  if (head === undefined) throw invalid('`file` must be a data: URI with base64, or the id of a file.');
  const bytes = Buffer.from(file.slice(head.length), 'base64');
  if (bytes.length <= MAX_DATA_URI_BYTES) return { name: 'document', bytes };
  throw invalid(
    `A data: URI has at most ${MAX_DATA_URI_BYTES} bytes, got ${bytes.length}; call upload_file first.`,
  );
}

function invalid(message: string): Fault {
  return new Fault('invalid-request', message, { param: 'file' });
}
