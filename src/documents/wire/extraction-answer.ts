import { z } from 'zod';
import type { Extraction } from '../extraction-service.ts';

/** Response body of the extraction routes. */
export const extractionAnswerSchema = z.object({
  data: z.record(z.string(), z.unknown()).describe('JSON that satisfies the schema.'),
  pages: z.int().describe('Pages of all PDFs together, or the number of images.'),
  files: z.int(),
  ocr_used: z.boolean(),
  usage: z.object({ prompt_tokens: z.int(), completion_tokens: z.int() }),
  citations: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'With `citations=true`: the tree of `data` with file, file_name, page, quote and box in place of each leaf.',
    ),
  confidence: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'With `confidence=true`: the tree of `data` with a probability from 0 to 1 in place of each leaf, or null where it is not known.',
    ),
});

/** Renders an extraction for the client. */
export function extractionAnswer(extraction: Extraction): object {
  const { data, pages, files, ocrUsed, usage, citations, confidence } = extraction;
  const { promptTokens, completionTokens } = usage;
  return {
    data,
    pages,
    files,
    ocr_used: ocrUsed,
    usage: { prompt_tokens: promptTokens, completion_tokens: completionTokens },
    ...(citations === undefined ? {} : { citations }),
    ...(confidence === undefined ? {} : { confidence }),
  };
}
