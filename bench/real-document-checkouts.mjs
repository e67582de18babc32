// Public repositories with documents that others made. They are not part of this one: their pictures belong to their makers.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../.cache/checkouts/', import.meta.url));
const CLONE_MS = 600_000;
const MOST_BYTES = 64 * 2 ** 20;

/** A repository at a path of an environment variable, in the cache, or cloned into it; undefined if it cannot be had. */
export function openCheckout({ repository, variable }) {
  const given = process.env[variable];
  const kept = join(cache, repository.replace('/', '+'));
  const folder = given ?? kept;
  if (given === undefined && !existsSync(kept) && !isCloned(repository, kept)) {
    console.log(`${repository}: skipped; give its checkout in ${variable}, or a network`);
    return undefined;
  }
  const git = (...args) => execFileSync('git', ['-C', folder, ...args], { maxBuffer: MOST_BYTES });
  return {
    paths: () => git('ls-tree', '-r', '-z', 'HEAD', '--name-only').toString().split('\0').filter(Boolean),
    read: (path) => git('show', `HEAD:${path}`),
    json: (path) => JSON.parse(git('show', `HEAD:${path}`).toString()),
  };
}

function isCloned(repository, folder) {
  mkdirSync(cache, { recursive: true });
  try {
    execFileSync('git', ['clone', '--quiet', '--depth', '1', `https://github.com/${repository}`, folder], {
      stdio: 'ignore',
      timeout: CLONE_MS,
    });
    return true;
  } catch {
    return false;
  }
}
