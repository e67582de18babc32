// The clock of one replica, which can be stepped while it runs.
import { execFile } from 'node:child_process';
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const cache = fileURLToPath(new URL('../../.cache/faketime', import.meta.url));
const shiftedDate = new URL('./shifted-date.mjs', import.meta.url).href;
const FETCH_BOUND_MS = 30_000;

/** Uses libfaketime if it is there or can be fetched, else a module that shifts `Date`. Time that only goes forward is not changed. */
export async function openClock(folder) {
  const file = join(folder, 'clock');
  const stepTo = async (seconds) => {
    // Replaced at once: half of a number is another time.
    await writeFile(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    await rename(`${file}.new`, file);
  };
  await stepTo(0);
  const library = (await findLibrary('/usr/lib')) ?? (await fetchLibrary());
  if (library === undefined)
    return {
      kind: 'a shifted Date',
      env: { DRILL_CLOCK: file },
      nodeArgs: ['--import', shiftedDate],
      stepTo,
    };
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_CACHE_DURATION: '1',
    NO_FAKE_STAT: '1',
  };
  return { kind: 'libfaketime', env, nodeArgs: [], stepTo };
}

async function fetchLibrary() {
  const root = join(cache, 'usr', 'lib');
  const fetched = await findLibrary(root);
  if (fetched !== undefined) return fetched;
  try {
    await mkdir(cache, { recursive: true });
    await run('apt-get', ['download', 'libfaketime'], { cwd: cache, timeout: FETCH_BOUND_MS });
    const packages = (await readdir(cache)).filter((name) => name.endsWith('.deb'));
    for (const name of packages) await run('dpkg-deb', ['-x', join(cache, name), cache]);
  } catch {
    // Another system, or one without a network.
  }
  return await findLibrary(root);
}

/** The variant for programs with threads. */
async function findLibrary(root) {
  for (const machine of await namesIn(root)) {
    const folder = join(root, machine, 'faketime');
    if ((await namesIn(folder)).includes('libfaketimeMT.so.1')) return join(folder, 'libfaketimeMT.so.1');
  }
  return undefined;
}

async function namesIn(folder) {
  return await readdir(folder).catch(() => []);
}
