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
  /** Told what the answer costs: the whole prompt and `data` as written, and every call of a model that came to nothing. */
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

/** What was extracted: it satisfies the schema, and has no more tokens than were asked for. */
export interface ExtractedData {
  readonly data: Readonly<Record<string, unknown>>;
  /** Which file values were taken from, by JSON pointer, where that is known; a list and its items have one. */
  readonly origins?: ReadonlyMap<string, number>;
}

/** A way to get from documents to data. */
export interface Extractor {
  extract(job: ExtractionJob, signal: AbortSignal): Promise<ExtractedData>;
}
