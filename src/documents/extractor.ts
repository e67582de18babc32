import type { Caller } from '../access/caller.ts';
import type { Meter } from '../access/meter.ts';
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
  /** Told of every call of a model. */
  readonly meter: Meter;
  readonly engine: TextEngine;
  readonly documents: readonly NamedDocument[];
  readonly schema: ObjectSchema;
  readonly system: string | undefined;
  readonly user: string | undefined;
  readonly maxTokens: number;
  /** Whether the model is shown the schema; one that is held to it token by token can do without. */
  readonly showsSchema: boolean;
  /** Aborts when the time that is left may be needed to write what cannot be left out: from then on rules decide what they can. */
  readonly leisure: AbortSignal;
  /** Aborts when time runs short: from then on what is there is answered, and nothing more is asked of a model. */
  readonly hurry: AbortSignal;
}

/** What was extracted: it satisfies the schema. */
export interface ExtractedData {
  readonly data: Readonly<Record<string, unknown>>;
  readonly usage: ExtractionUsage;
  /** Which file values were taken from, by JSON pointer, where that is known; a list and its items have one. */
  readonly origins?: ReadonlyMap<string, number>;
}

/** Tokens of every call of a model, retries included. */
export interface ExtractionUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** Nothing was asked of a model yet. */
export const noUsage: ExtractionUsage = { promptTokens: 0, completionTokens: 0 };

/** The tokens of two together. */
export function summed(one: ExtractionUsage, other: ExtractionUsage): ExtractionUsage {
  return {
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
  };
}

/** A way to get from documents to data. */
export interface Extractor {
  extract(job: ExtractionJob, signal: AbortSignal): Promise<ExtractedData>;
}
