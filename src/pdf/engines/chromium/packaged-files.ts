import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';

const require = createRequire(import.meta.url);

/** The folder of an npm package, whatever it exports. */
export function packageFolder(name: string): string {
  const entry = require.resolve(name);
  const marker = join('node_modules', ...name.split('/')) + sep;
  const at = entry.lastIndexOf(marker);
  return at === -1 ? dirname(entry) : entry.slice(0, at + marker.length - 1);
}
