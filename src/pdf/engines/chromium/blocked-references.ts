import { isRecord } from '../../../lib/json-record.ts';
import type { DevToolsEvent } from './devtools-pipe.ts';

// Bounds the count for documents with endless references.
const MAX_COUNTED = 10_000;
// Chromium's messages for blocked loads, each with the address.
const REFUSALS =
  /violates the following Content Security Policy directive|^Unsafe attempt to load URL|^Not allowed to load local resource/;

/** Counts distinct references that were not fetched. */
export class BlockedReferences {
  readonly #seen = new Set<string>();

  get count(): number {
    return this.#seen.size;
  }

  /** A request that got past the CSP and was blocked. */
  addRequest(url: string): void {
    this.#add(url);
  }

  /** A log entry of the page, which may report a blocked load. */
  addLogEntry({ params }: DevToolsEvent): void {
    const text = isRecord(params.entry) ? params.entry.text : undefined;
    if (typeof text === 'string' && REFUSALS.test(text)) this.#add(text);
  }

  #add(reference: string): void {
    if (this.#seen.size < MAX_COUNTED) this.#seen.add(reference);
  }
}
