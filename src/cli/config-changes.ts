import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/config.ts';

/** Stacks, keys and plans take effect at once; these sections only at the next start. */
const RESTART_SECTIONS = ['server', 'dataDir', 'blobs', 'log', 'retention', 'telemetry', 'engines'] as const;

/** The sections that changed and need a restart to take effect. */
export function changedSections(before: Config, after: Config): readonly string[] {
  const changed = RESTART_SECTIONS.filter((section) => !isDeepStrictEqual(before[section], after[section]));
  const sameDatabase = before.database?.url.reveal() === after.database?.url.reveal();
  return sameDatabase ? changed : [...changed, 'database'];
}
