import type { Caller } from '../access/caller.ts';
import type { ReadDocument } from '../reading/document-reader.ts';
import type { TextEngine } from '../text/text-engine.ts';
import type { ObjectSchema } from './target-schema.ts';

/** A document that was read. */
export interface NamedDocument extends ReadDocument {
  readonly name: string;
}

/** What is to be extracted, with everything read and checked. */
export interface ExtractionJob {
  readonly caller: Caller;
  readonly engine: TextEngine;
  readonly documents: readonly NamedDocument[];
  readonly schema: ObjectSchema;
  readonly system: string | undefined;
  readonly user: string | undefined;
  readonly maxTokens: number;
}

/** What was extracted: it satisfies the schema. */
export interface ExtractedData {
  readonly data: Readonly<Record<string, unknown>>;
  readonly usage: ExtractionUsage;
}

/** Tokens of every call of a model, retries included. */
export interface ExtractionUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** A way to get from documents to data. */
export interface Extractor {
  extract(job: ExtractionJob, signal: AbortSignal): Promise<ExtractedData>;
}
