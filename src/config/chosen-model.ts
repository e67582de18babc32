import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../lib/error-code.ts';
import { writeFileAtomically } from '../lib/write-file-atomically.ts';
import type { Config, TextEngineConfig } from './config.ts';
import { deepFreeze } from './deep-freeze.ts';
import { mapEngines } from './resolve-engines.ts';

/** Absent, or in a folder that this user may not read: nothing was chosen for them. */
const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES'] as const;

/** Where the choice of `stackgate models use` is kept. */
export function chosenModelPath(dataDir: string): string {
  return join(dataDir, 'default-model');
}

/** The embedded text model that the operator chose by command, if any. */
export async function readChosenModel(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(chosenModelPath(dataDir), 'utf8')).trim() || undefined;
  } catch (error) {
    if (hasErrorCode(error, ...UNREADABLE)) return undefined;
    throw error;
  }
}

/** Keeps a choice for the next start. */
export async function writeChosenModel(dataDir: string, name: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFileAtomically(chosenModelPath(dataDir), `${name}\n`, 0o600);
}

/** The configuration with the chosen model in every embedded engine for which the file names none. */
export function withChosenModel(config: Config, chosen: string | undefined): Config {
  if (chosen === undefined) return config;
  const choose = (engine: TextEngineConfig): TextEngineConfig =>
    engine.kind === 'llama' && !engine.isModelNamed ? { ...engine, model: chosen } : engine;
  return deepFreeze({
    ...config,
    engines: { ...config.engines, text: mapEngines(config.engines.text, choose) },
  });
}
