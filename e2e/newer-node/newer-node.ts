import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runNpm } from './run-npm.ts';

const folder = dirname(fileURLToPath(import.meta.url));
// Not in node_modules: npm takes a project there for a package, and its lock file for an outdated one.
const cache = fileURLToPath(new URL('../../.cache/newer-node/', import.meta.url));
const shownOutputCharacters = 500;

/** Which newer Node: the long-term release or the newest of all. */
export type NodeLine = 'lts' | 'current';

/**
 * Path of a Node newer than the tests' own, as pinned by package-lock.json beside this file and installed on first
 * use; undefined, with the reason printed, where there is none to be had.
 */
export async function newerNode(line: NodeLine = 'lts'): Promise<string | undefined> {
  const name = `${line}-${process.platform}-${process.arch}`;
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (!lock.includes(`"node_modules/${name}"`)) {
    console.warn(`skipped: no newer Node is pinned for ${process.platform}-${process.arch} (e2e/newer-node)`);
    return undefined;
  }
  const installed = join(cache, createHash('sha256').update(lock).digest('hex').slice(0, 16));
  const binary = join('node_modules', name, 'bin', 'node');
  if (!existsSync(join(installed, binary))) await install(installed, binary);
  return existsSync(join(installed, binary)) ? join(installed, binary) : undefined;
}

/** Installed aside and renamed into place, so that two processes may do it at once and a killed one leaves no half. */
async function install(installed: string, binary: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const building = mkdtempSync(join(cache, 'building-'));
  try {
    for (const name of ['package.json', 'package-lock.json'])
      cpSync(join(folder, name), join(building, name));
    const output = await runNpm(building, ['ci', '--ignore-scripts', '--include=optional', '--no-bin-links']);
    // npm leaves out an optional package it cannot fetch and still exits with 0.
    if (existsSync(join(building, binary))) moveInto(building, installed);
    else warnOfFailure(output);
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

function warnOfFailure(output: string): void {
  const shown = output.slice(0, shownOutputCharacters).replaceAll(/\s+/g, ' ');
  console.warn(`skipped: a newer Node could not be fetched from the npm registry; is it reachable? ${shown}`);
}
