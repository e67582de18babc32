import { readdirSync, readFileSync } from 'node:fs';

const folder = new URL('./responses-corpus/', import.meta.url);

/** The names of the recorded requests of the responses format. */
export const responsesCorpus: readonly string[] = readdirSync(folder).map((file) =>
  file.replace(/\.json$/, ''),
);

/** A request as an agent or SDK sent it; long texts are cut. */
export function responsesBody(name: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'));
}
