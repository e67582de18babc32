import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('./messages-corpus/', import.meta.url);

/** A request as agents and SDKs send it. */
export interface CorpusRequest {
  readonly name: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Requests of the messages format that must stay accepted. */
export function messagesCorpus(): readonly CorpusRequest[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace(/\.json$/, ''))
    .map((name) => ({ name, body: corpusBody(name) }));
}

/** One of them, by file name. */
export function corpusBody(name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
}
