import type { EmbeddedChunk } from '../embedded-chunk.ts';
import type { FoundChunk } from '../knowledge-search.ts';
import type { IndexedVersion, Query } from './stack-index.ts';

/** What the thread that holds the indexes is asked. */
export type SearchJob =
  | { readonly kind: 'search'; readonly stackId: string; readonly generation: string; readonly query: Query }
  /** Begins to load a stack; the answer names the versions it lacks. */
  | { readonly kind: 'open'; readonly stackId: string; readonly versions: readonly IndexedVersion[] }
  | {
      readonly kind: 'add';
      readonly stackId: string;
      readonly version: IndexedVersion;
      readonly chunks: readonly EmbeddedChunk[];
      readonly isFirst: boolean;
      readonly isLast: boolean;
    }
  /** From here on the stack is searched as of this generation. */
  | {
      readonly kind: 'publish';
      readonly stackId: string;
      readonly generation: string;
      readonly versions: readonly IndexedVersion[];
    };

/** What it answers; `absent`: the stack is not here, or of another generation, and must be loaded. */
export type SearchAnswer =
  | { readonly found: readonly FoundChunk[] }
  | { readonly missing: readonly string[] }
  | { readonly done: true }
  | { readonly absent: true };
