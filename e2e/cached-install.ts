import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNpm } from './run-npm.ts';

// Not in node_modules, where npm takes a project for a package and its lock file for outdated.
const ownCache = fileURLToPath(new URL('../.cache/', import.meta.url));
const shownOutputCharacters = 500;

/** A small npm project of the tests, installed separately from the gateway's dependencies. */
export interface CachedProject {
  /** The folder of its package.json and package-lock.json. */
  readonly folder: string;
  /** Its name in the cache and in warnings. */
  readonly name: string;
  /** A file that exists once the project is completely installed. */
  readonly lastFile: string;
  readonly npmArguments: readonly string[];
  /** The folder of the cache, if not that of this clone. */
  readonly cache?: string;
}

/**
 * Installs the packages pinned by a project's lock file, on first use, into .cache/<name>/<hash of the lock file>. Returns that
 * folder; undefined, with the reason printed, if they are not available.
 */
export async function cachedInstall(project: CachedProject): Promise<string | undefined> {
  const installed = placeOf(project);
  if (!isInstalled(project)) await install(project, installed);
  return isInstalled(project) ? installed : undefined;
}

/** Whether a project is in the cache. */
export function isInstalled(project: CachedProject): boolean {
  return existsSync(join(placeOf(project), project.lastFile));
}

function placeOf({ folder, name, cache = ownCache }: CachedProject): string {
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  return join(cache, name, hash);
}

/** Installed in a temporary folder and renamed, so that concurrent or killed processes never leave half of it. */
async function install(project: CachedProject, installed: string): Promise<void> {
  const parent = dirname(installed);
  mkdirSync(parent, { recursive: true });
  // Through a link, npm takes the project for one that its lock file lacks.
  const building = mkdtempSync(join(realpathSync(parent), 'building-'));
  try {
    for (const name of ['package.json', 'package-lock.json'])
      cpSync(join(project.folder, name), join(building, name));
    const npm = await runNpm(building, ['ci', '--ignore-scripts', '--no-bin-links', ...project.npmArguments]);
    // npm skips an optional package it cannot fetch and still exits with 0.
    if (existsSync(join(building, project.lastFile))) moveInto(building, installed);
    else warnOfFailure(project.name, npm.complaints);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

function moveInto(building: string, installed: string): void {
  try {
    renameSync(building, installed);
  } catch (error) {
    if (!existsSync(installed)) throw error;
  }
}

function warnOfFailure(name: string, complaints: string): void {
  const shown = complaints.slice(0, shownOutputCharacters).replaceAll(/\s+/g, ' ');
  console.warn(`skipped: ${name} could not be fetched from the npm registry; is it reachable? ${shown}`);
}
