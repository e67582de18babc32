import type { EmbeddedChunk } from '../embedded-chunk.ts';
import type { FoundChunk } from '../knowledge-search.ts';
import type { IndexedVersion, Query } from './stack-index.ts';

/** The start data of the thread that holds the indexes. */
export interface SearchWorkerData {
  /** Memory bound for the indexes of all stacks, except the one asked last. */
  readonly maxBytes: number;
  /** Absent: indexes are not kept as files. */
  readonly files?: {
    readonly folder: string;
    /** From `indexMaker`. */
    readonly maker: string;
    readonly isReadOnly: boolean;
    readonly saveDelayMs: number;
  };
}

/** A job for the thread that holds the indexes. */
export type SearchJob =
  | { readonly kind: 'search'; readonly stackId: string; readonly generation: string; readonly query: Query }
  /** Starts loading a stack; the answer lists missing versions. */
  | { readonly kind: 'open'; readonly stackId: string; readonly versions: readonly IndexedVersion[] }
  | {
      readonly kind: 'add';
      readonly stackId: string;
      readonly version: IndexedVersion;
      readonly chunks: readonly EmbeddedChunk[];
      readonly isFirst: boolean;
      readonly isLast: boolean;
    }
  /** Makes this generation searchable. */
  | {
      readonly kind: 'publish';
      readonly stackId: string;
      readonly generation: string;
      readonly versions: readonly IndexedVersion[];
    };

/** `absent`: the stack is not loaded, or has another generation. */
export type SearchAnswer =
  | { readonly found: readonly FoundChunk[] }
  | { readonly missing: readonly string[] }
  | { readonly done: true }
  | { readonly absent: true };
