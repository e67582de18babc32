import type { PdfService } from '../../pdf/pdf-service.ts';
import { generateRequestSchema, openGenerateRequest } from '../../pdf/wire/generate-request.ts';
import { JSON_CAP_BYTES } from '../body-rules.ts';
import type { KeyRoute } from '../route.ts';
import { ofScope } from './of-scope.ts';

// A character of HTML may take up to six bytes in JSON; four are enough for usual encoders.
const JSON_BYTES_PER_HTML_BYTE = 4;

/** `POST /v1/documents/generate`: a PDF from HTML, sent by the caller or written by the model. */
export function generateDocument(service: PdfService): KeyRoute {
  return {
    ...ofScope('pdf'),
    method: 'POST',
    path: '/v1/documents/generate',
    body: {
      kind: 'json',
      cap: ({ pdf }) => Math.max(JSON_CAP_BYTES, JSON_BYTES_PER_HTML_BYTE * pdf.htmlBytes),
      tooLarge: 'body-too-large',
    },
    summary: 'PDF generation',
    detail:
      'Prints HTML to PDF: `html` as it is, or HTML that the model writes from `user`. Nothing is fetched and no script runs. `x-pdf-pages` and `x-pdf-blocked-references` tell how many pages there are and how many references were not fetched.',
    request: {
      schema: generateRequestSchema,
      schemaName: 'GenerateRequest',
      example: '{"html": "<h1>Hello</h1>"}',
    },
    answer: { contentType: 'application/pdf' },
    faults: [
      'invalid-request',
      'context-length-exceeded',
      'html-unrenderable',
      'model-output-truncated',
      'html-too-large',
      'pdf-too-long',
      'max-tokens-out-of-range',
      'model-not-allowed',
      'token-budget-exceeded',
      'budget-exceeded',
      'pdf-in-flight',
      'engine-failed',
      'model-not-ready',
    ],
    handle: async (request) => {
      const order = openGenerateRequest(request.body);
      const { bytes, pages, blockedReferences } = await service.generate(request.caller, order, request);
      return {
        contentType: 'application/pdf',
        headers: { 'x-pdf-pages': String(pages), 'x-pdf-blocked-references': String(blockedReferences) },
        body: bytes,
      };
    },
  };
}
