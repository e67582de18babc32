import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNpm } from './run-npm.ts';

// Not in node_modules: npm takes a project there for a package, and its lock file for an outdated one.
const cache = fileURLToPath(new URL('../.cache/', import.meta.url));
const shownOutputCharacters = 500;

/** A small npm project of the tests, installed apart from the gateway's own dependencies. */
export interface CachedProject {
  /** Where its package.json and package-lock.json are. */
  readonly folder: string;
  /** What it is called in the cache and in a warning. */
  readonly name: string;
  /** A file that stands below the installed project when all of it is there. */
  readonly lastFile: string;
  readonly npmArguments: readonly string[];
}

/**
 * Installs what a project's lock file pins, on first use, into .cache/<name>/<hash of the lock file>. Returns that
 * folder; undefined, with the reason printed, where the packages are not to be had.
 */
export async function cachedInstall(project: CachedProject): Promise<string | undefined> {
  const lock = readFileSync(join(project.folder, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const installed = join(cache, project.name, hash);
  if (!existsSync(join(installed, project.lastFile))) await install(project, installed);
  return existsSync(join(installed, project.lastFile)) ? installed : undefined;
}

/** Installed aside and renamed into place, so that two processes may do it at once and a killed one leaves no half. */
async function install(project: CachedProject, installed: string): Promise<void> {
  mkdirSync(join(cache, project.name), { recursive: true });
  const building = mkdtempSync(join(cache, project.name, 'building-'));
  try {
    for (const name of ['package.json', 'package-lock.json'])
      cpSync(join(project.folder, name), join(building, name));
    const npm = await runNpm(building, ['ci', '--ignore-scripts', '--no-bin-links', ...project.npmArguments]);
    // npm leaves out an optional package it cannot fetch and still exits with 0.
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
