import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Vitest's global set-up: builds dist/, since children and workers run the compiled files. */
export function setup(): void {
  const script = fileURLToPath(new URL('../scripts/build.mjs', import.meta.url));
  const result = spawnSync(process.execPath, [script, '--if-stale'], { stdio: 'inherit' });
  if (result.status !== 0) throw new Error('the build failed');
}
