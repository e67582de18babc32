import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedInstall } from '../cached-install.ts';

const folder = dirname(fileURLToPath(import.meta.url));

/** The vendors' clients, installed. */
export interface InstalledClients {
  /** The folder with their node_modules. */
  readonly folder: string;
  /** The lowest major version of Node that a client requires; 0 if it names none. */
  requiredNodeMajor(alias: string): number;
}

/** Installs the clients pinned by package-lock.json here; undefined if they are not available. */
export async function installClients(): Promise<InstalledClients | undefined> {
  const lastFile = join('node_modules', 'openai-7', 'package.json');
  const installed = await cachedInstall({ folder, name: 'clients', lastFile, npmArguments: [] });
  if (installed === undefined) return undefined;
  return {
    folder: installed,
    requiredNodeMajor: (alias) => {
      const text = readFileSync(join(installed, 'node_modules', alias, 'package.json'), 'utf8');
      return Number(/"engines":\s*\{\s*"node":\s*">=\s*(\d+)/.exec(text)?.[1] ?? 0);
    },
  };
}
