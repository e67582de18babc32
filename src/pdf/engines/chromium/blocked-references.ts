import { isRecord } from '../../../lib/json-record.ts';
import type { DevToolsEvent } from './devtools-pipe.ts';

// A document may refer to any number of things; the count then stops here.
const MAX_COUNTED = 10_000;
// The browser's own words for what it did not load, each with the address it was asked for.
const REFUSALS =
  /violates the following Content Security Policy directive|^Unsafe attempt to load URL|^Not allowed to load local resource/;

/** Counts what a document refers to and was not fetched, each address once for each use that is made of it. */
export class BlockedReferences {
  readonly #seen = new Set<string>();

  get count(): number {
    return this.#seen.size;
  }

  /** A request that got past the document's rules and was refused. */
  addRequest(url: string): void {
    this.#add(url);
  }

  /** An entry of the page's log, which may tell of a refusal. */
  addLogEntry({ params }: DevToolsEvent): void {
    const text = isRecord(params.entry) ? params.entry.text : undefined;
    if (typeof text === 'string' && REFUSALS.test(text)) this.#add(text);
  }

  #add(reference: string): void {
    if (this.#seen.size < MAX_COUNTED) this.#seen.add(reference);
  }
}
