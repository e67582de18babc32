import { citeExtraction } from '../documents/citations/cite-extraction.ts';
import { DirectExtractor } from '../documents/direct/direct-extractor.ts';
import { ExtractionService } from '../documents/extraction-service.ts';
import type { ExtractionJob } from '../documents/extractor.ts';
import { extractorFor } from '../documents/extractor-choice.ts';
import { GroundedExtractor } from '../documents/grounded/grounded-extractor.ts';
import { proposedValues } from '../documents/grounded/propose/proposed-values.ts';
import { readFileHints } from '../documents/hints/read-file-hints.ts';
import type { DocumentReader } from '../reading/document-reader.ts';
import type { FieldFinder } from '../reading/fields/field-finder.ts';
import type { SchemaService } from '../schema/service/schema-service.ts';
import type { TextEngine } from '../text/text-engine.ts';
import type { TextService } from '../text/text-service.ts';

export interface ExtractionOptions {
  readonly text: TextService;
  readonly schemas: SchemaService;
  readonly reader: DocumentReader;
  readonly finder?: FieldFinder;
  /** Whether the engine is configured for grounded extraction. */
  readonly isGrounded: (engine: TextEngine) => boolean;
  /** Whether the prompt of a model that writes everything has the proposals of the field finder. */
  readonly hints?: boolean;
  readonly timeoutMs?: number;
}

/** Builds the extraction service with both extractors. */
export function openExtraction({
  isGrounded,
  hints = false,
  ...parts
}: ExtractionOptions): ExtractionService {
  const { finder } = parts;
  const proposalsFor =
    hints && finder !== undefined
      ? (job: ExtractionJob, signal: AbortSignal) => proposedValues(job, finder, signal)
      : undefined;
  const direct = new DirectExtractor({ ...parts, proposalsFor });
  const grounded = new GroundedExtractor({ ...parts, direct, readHints: readFileHints });
  const choice = { direct, grounded, isGrounded };
  return new ExtractionService({
    ...parts,
    cite: citeExtraction,
    extractorFor: (engine) => extractorFor(engine, choice),
  });
}
