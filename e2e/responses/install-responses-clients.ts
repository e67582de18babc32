import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedInstall } from '../cached-install.ts';
import type { InstalledClients } from '../clients/install-clients.ts';

const folder = dirname(fileURLToPath(import.meta.url));

/** Installs the clients pinned by package-lock.json here; undefined, with the reason printed, if they are not available. */
export async function installResponsesClients(): Promise<InstalledClients | undefined> {
  const lastFile = join('node_modules', 'openai-7', 'package.json');
  const installed = await cachedInstall({ folder, name: 'responses-clients', lastFile, npmArguments: [] });
  if (installed === undefined) return undefined;
  return {
    folder: installed,
    requiredNodeMajor: (alias) => {
      // The Agents SDK names no version itself, but does not run without this one.
      const needed = alias === '@openai/agents' ? 'openai' : alias;
      const text = readFileSync(join(installed, 'node_modules', needed, 'package.json'), 'utf8');
      return Number(/"engines":\s*\{\s*"node":\s*">=\s*(\d+)/.exec(text)?.[1] ?? 0);
    },
  };
}
