import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/config.ts';
import { Secret } from '../config/secret.ts';

/** Stacks, keys and plans take effect at once; these sections, by their names in the file, only at the next start. */
const RESTART_SECTIONS = {
  server: 'server',
  dataDir: 'data_dir',
  database: 'database',
  blobs: 'blobs',
  log: 'log',
  retention: 'retention',
  telemetry: 'telemetry',
  engines: 'engines',
} as const satisfies Partial<Record<keyof Config, string>>;

type RestartSection = keyof typeof RESTART_SECTIONS;

/** The sections that differ from those the gateway was started with, and need a restart to take effect. */
export function changedSections(started: Config, current: Config): readonly string[] {
  const sections = Object.keys(RESTART_SECTIONS) as RestartSection[];
  return sections
    .filter((section) => !isDeepStrictEqual(revealed(started[section]), revealed(current[section])))
    .map((section) => RESTART_SECTIONS[section]);
}

/** Secrets hide their value from comparison too. */
function revealed(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (Array.isArray(value)) return value.map(revealed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revealed(member)]));
}
