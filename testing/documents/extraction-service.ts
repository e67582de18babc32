import { openExtraction } from '../../src/assembly/open-extraction.ts';
import type { ExtractionService } from '../../src/documents/extraction-service.ts';
import type { DocumentReader } from '../../src/reading/document-reader.ts';
import { SchemaService } from '../../src/schema/service/schema-service.ts';
import type { TextService } from '../../src/text/text-service.ts';
import { textService } from '../text/text-service.ts';
import { FakeDocumentReader } from './fake-document-reader.ts';

interface Options {
  readonly text?: TextService;
  readonly schemas?: SchemaService;
  readonly reader?: DocumentReader | undefined;
  readonly timeoutMs?: number | undefined;
}

/** Extraction over a fake reader, grounded on every engine that has a ranker. */
export function extractionService(options: Options = {}): ExtractionService {
  return openExtraction({
    text: options.text ?? textService([]),
    schemas: options.schemas ?? new SchemaService(),
    reader: options.reader ?? new FakeDocumentReader(),
    isGrounded: () => true,
    ...(options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs }),
  });
}
