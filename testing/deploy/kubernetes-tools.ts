import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Where `scripts/kubernetes-tools.mjs` puts them. */
const cache = join(homedir(), '.cache', 'stackgate-e2e', 'kubernetes');
const schemas = join(cache, 'schemas');

/** The schemas of Kubernetes, as kubeconform takes them. */
export const schemaLocation = join(schemas, '{{.ResourceKind}}{{.KindSuffix}}.json');

/** The path of a program; undefined, with a line that says so, if it or its schemas are missing. */
export function findTool(name: 'helm' | 'kubeconform'): string | undefined {
  const folders = [cache, ...(process.env.PATH ?? '').split(delimiter)];
  const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (found !== undefined && (name === 'helm' || existsSync(schemas))) return found;
  console.warn(
    `skipped: ${name} or what it needs is missing; "node scripts/kubernetes-tools.mjs" fetches it`,
  );
  return undefined;
}
