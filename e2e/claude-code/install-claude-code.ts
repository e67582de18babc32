import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedInstall } from '../cached-install.ts';

const folder = dirname(fileURLToPath(import.meta.url));

/**
 * Path of Claude Code, as pinned by package-lock.json here and installed on first use; undefined, with the reason printed, if it
 * is not available.
 */
export async function installClaudeCode(): Promise<string | undefined> {
  const place = `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}`;
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (process.platform === 'win32' || !lock.includes(`"${place}"`)) {
    console.warn(
      `skipped: no Claude Code is pinned for ${process.platform}-${process.arch} (e2e/claude-code)`,
    );
    return undefined;
  }
  // Not the package's bin: only its install script, which is not run, links that to the program.
  const program = join(place, 'claude');
  const installed = await cachedInstall({
    folder,
    name: 'claude-code',
    lastFile: program,
    npmArguments: ['--include=optional'],
  });
  return installed === undefined ? undefined : join(installed, program);
}
