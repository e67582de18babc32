import type { Caller } from '../access/caller.ts';
import type { Meter } from '../access/meter.ts';
import type { ReadDocument } from '../reading/document-reader.ts';
import type { TextEngine } from '../text/text-engine.ts';
import type { Citation } from './citation.ts';
import type { ConfidenceTree } from './confidence.ts';
import type { ObjectSchema } from './target-schema.ts';

export interface NamedDocument extends ReadDocument {
  readonly name: string;
}

/** A validated extraction with its documents read. */
export interface ExtractionJob {
  readonly caller: Caller;
  /** Charged for the whole prompt, `data` as written, and every model call without a usable result. */
  readonly meter: Meter;
  readonly engine: TextEngine;
  readonly documents: readonly NamedDocument[];
  readonly schema: ObjectSchema;
  readonly system: string | undefined;
  readonly user: string | undefined;
  readonly maxTokens: number;
  /** Proposals of the field finder, for a model that writes everything; absent: nothing is said of it. */
  readonly proposals?: string | undefined;
  /** Whether the prompt includes the schema; a model constrained by a grammar can do without. */
  readonly showsSchema: boolean;
  /** Whether the probability of each value is asked for. */
  readonly wantsConfidence?: boolean;
  /** Aborts when the remaining time is needed for mandatory text; rules then decide what they can. */
  readonly leisure: AbortSignal;
  /** Aborts shortly before the deadline: return what is there, without further model calls. */
  readonly hurry: AbortSignal;
}

/** Satisfies the schema and `max_tokens`. */
export interface ExtractedData {
  readonly data: Readonly<Record<string, unknown>>;
  /** Source file by JSON pointer, where known; a list has one entry for all items. */
  readonly origins?: ReadonlyMap<string, number>;
  /** Where values stand, by JSON pointer, as far as the extractor took them from there. */
  readonly sources?: ReadonlyMap<string, Citation>;
  /** How likely each value is right, where the extractor can tell. */
  readonly confidence?: ConfidenceTree;
}

/** Turns documents into data. */
export interface Extractor {
  extract(job: ExtractionJob, signal: AbortSignal): Promise<ExtractedData>;
}
