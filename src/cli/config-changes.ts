import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config/config.ts';
import { Secret } from '../config/secret.ts';

/** Sections that need a restart; stacks, keys, plans, prices and budgets of accounts take effect at once. */
const RESTART_SECTIONS = {
  server: 'server',
  dataDir: 'data_dir',
  database: 'database',
  blobs: 'blobs',
  log: 'log',
  retention: 'retention',
  files: 'files',
  console: 'console',
  telemetry: 'telemetry',
  engines: 'engines',
} as const satisfies Partial<Record<keyof Config, string>>;

type RestartSection = keyof typeof RESTART_SECTIONS;

/** The changed sections that need a restart. */
export function changedSections(started: Config, current: Config): readonly string[] {
  const sections = Object.keys(RESTART_SECTIONS) as RestartSection[];
  return sections
    .filter((section) => !isDeepStrictEqual(revealed(started[section]), revealed(current[section])))
    .map((section) => RESTART_SECTIONS[section]);
}

/** Secrets compare equal unless revealed. */
function revealed(value: unknown): unknown {
  if (value instanceof Secret) return value.reveal();
  if (Array.isArray(value)) return value.map(revealed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, revealed(member)]));
}
