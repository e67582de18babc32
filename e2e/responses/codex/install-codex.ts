import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedInstall, isInstalled } from '../../cached-install.ts';

const folder = dirname(fileURLToPath(import.meta.url));

/** Codex's names of platforms. */
const TARGETS: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};

/**
 * Path of Codex, as pinned by package-lock.json here; undefined, with the reason printed, if it is not available. It has 294 MB,
 * so it is fetched only on demand, into a cache that all clones share.
 */
export async function installCodex(): Promise<string | undefined> {
  const platform = `${process.platform}-${process.arch}`;
  const target = TARGETS[platform];
  if (target === undefined) {
    console.warn(`skipped: no Codex is pinned for ${platform} (e2e/responses/codex)`);
    return undefined;
  }
  const program = join('node_modules', '@openai', `codex-${platform}`, 'vendor', target, 'bin', 'codex');
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'stackgate-e2e');
  const project = { folder, name: 'codex', lastFile: program, npmArguments: ['--include=optional'], cache };
  if (process.env.STACKGATE_E2E_CODEX !== '1' && !isInstalled(project)) {
    console.warn(`skipped: Codex is not in ${cache}; STACKGATE_E2E_CODEX=1 fetches it once (294 MB)`);
    return undefined;
  }
  const installed = await cachedInstall(project);
  return installed === undefined ? undefined : join(installed, program);
}
