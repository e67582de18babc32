import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Vitest's global set-up: children and workers run the compiled files, so dist/ must be what src/ says. */
export function setup(): void {
  const script = fileURLToPath(new URL('../scripts/build.mjs', import.meta.url));
  const result = spawnSync(process.execPath, [script, '--if-stale'], { stdio: 'inherit' });
  if (result.status !== 0) throw new Error('the build failed');
}
