import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '../lib/error-code.ts';
import { writeFileAtomically } from '../lib/write-file-atomically.ts';
import type { Config, TextEngineConfig } from './config.ts';
import { deepFreeze } from './deep-freeze.ts';
import { mapEngines } from './resolve-engines.ts';

/** Missing, or not readable by this user: nothing was chosen. */
const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES'] as const;

/** The file with the choice of `stackgate models use`. */
function chosenModelPath(dataDir: string): string {
  return join(dataDir, 'default-model');
}

/** The embedded text model chosen by command, if any. */
export async function readChosenModel(dataDir: string): Promise<string | undefined> {
  try {
    return (await readFile(chosenModelPath(dataDir), 'utf8')).trim() || undefined;
  } catch (error) {
    if (hasErrorCode(error, ...UNREADABLE)) return undefined;
    throw error;
  }
}

/** Saves a choice for the next start. */
export async function writeChosenModel(dataDir: string, name: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await writeFileAtomically(chosenModelPath(dataDir), `${name}\n`, 0o600);
}

/** Applies the chosen model to every embedded engine without a model in the file. */
export function withChosenModel(config: Config, chosen: string | undefined): Config {
  if (chosen === undefined) return config;
  const choose = (engine: TextEngineConfig): TextEngineConfig =>
    engine.kind === 'llama' && !engine.isModelNamed ? { ...engine, model: chosen } : engine;
  return deepFreeze({
    ...config,
    engines: { ...config.engines, text: mapEngines(config.engines.text, choose) },
  });
}
