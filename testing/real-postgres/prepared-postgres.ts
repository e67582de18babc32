import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { findPostgresBinaries, noPostgresMessage } from './postgres-binaries.ts';
import { giveTree, openTree, postgresEnvironment, serverUser, sharedTemporaryFolder } from './server-user.ts';

const initdbBoundMs = 60_000;
const abandonedAfterMs = 3_600_000;
const writableByOthers = 0o022;

/** Working binaries and a data folder to copy: prepared once per machine, version and user. */
export interface PreparedPostgres {
  readonly binaries: string;
  readonly template: string;
  readonly password: string;
}

/** Finds or prepares them in the temporary folder. */
export async function preparePostgres(temporary = sharedTemporaryFolder()): Promise<PreparedPostgres> {
  const packaged = findPostgresBinaries();
  if (packaged === undefined) throw new Error(noPostgresMessage);
  const cache = openCache(temporary);
  const folder = join(cache, `${packaged.version}-${process.platform}-${process.arch}`);
  if (!isWhole(folder)) await fillCache(cache, { folder, packaged: packaged.folder });
  return contentsOf(folder);
}

function contentsOf(folder: string): PreparedPostgres {
  return {
    binaries: join(folder, 'native'),
    template: join(folder, 'template'),
    password: readFileSync(join(folder, 'password'), 'utf8'),
  };
}

/** In a world-writable folder, a cache is used only if it is ours and no other user can change it. */
function openCache(temporary: string): string {
  const ownUid = process.getuid?.() ?? 0;
  const cache = join(temporary, `stackgate-postgres-${ownUid}`);
  mkdirSync(cache, { recursive: true });
  const found = lstatSync(cache);
  if (!found.isDirectory() || found.uid !== ownUid || (found.mode & writableByOthers) !== 0) {
    throw new Error(`${cache} belongs to someone else or others may write in it; remove it and run again`);
  }
  chmodSync(cache, 0o711);
  return cache;
}

/**
 * Prepared in a temporary folder and renamed: of two concurrent processes one wins and both use its work, and a killed one
 * blocks no others, as a stale lock would.
 */
async function fillCache(cache: string, target: { folder: string; packaged: string }): Promise<void> {
  removeAbandoned(cache);
  const building = mkdtempSync(join(cache, 'building-'));
  try {
    chmodSync(building, 0o711);
    copyBinaries(target.packaged, join(building, 'native'));
    await createTemplate(building);
    writeFileSync(join(building, 'entries'), String(countEntries(building) + 1));
    replaceFolder(building, target.folder);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

function replaceFolder(building: string, folder: string): void {
  if (existsSync(folder) && !isWhole(folder)) renameSync(folder, `${building}-spoilt`);
  rmSync(`${building}-spoilt`, { recursive: true, force: true });
  try {
    renameSync(building, folder);
  } catch (error) {
    if (!isWhole(folder)) throw error;
  }
}

/** /tmp cleaners remove single old files, so the number of entries is checked before use. */
function isWhole(folder: string): boolean {
  const record = join(folder, 'entries');
  return existsSync(record) && Number(readFileSync(record, 'utf8')) === countEntries(folder);
}

function countEntries(folder: string): number {
  return readdirSync(folder, { recursive: true }).length;
}

function removeAbandoned(cache: string): void {
  for (const name of readdirSync(cache).filter((entry) => entry.startsWith('building-'))) {
    const made = lstatSync(join(cache, name), { throwIfNoEntry: false })?.ctimeMs ?? Date.now();
    if (Date.now() - made > abandonedAfterMs) rmSync(join(cache, name), { recursive: true, force: true });
  }
}

function copyBinaries(packaged: string, target: string): void {
  const wanted = (path: string) => !path.endsWith('.a') && !lstatSync(path).isSymbolicLink();
  cpSync(packaged, target, { recursive: true, filter: wanted });
  openTree(target);
  for (const { source, target: link } of readLinks(packaged)) {
    symlinkSync(relative(dirname(link), source), join(dirname(target), link));
  }
}

/** Links that npm cannot carry, from the package's root: "native/lib/libpq.so.5" to "native/lib/libpq.so.5.18". */
function readLinks(packaged: string): readonly { readonly source: string; readonly target: string }[] {
  const list = join(packaged, 'pg-symlinks.json');
  if (!existsSync(list)) return [];
  const links: unknown = JSON.parse(readFileSync(list, 'utf8'));
  if (!Array.isArray(links)) throw new Error(`${list} does not hold a list of links`);
  return links.map((link) => ({ source: String(link.source), target: String(link.target) }));
}

async function createTemplate(building: string): Promise<void> {
  const user = serverUser();
  const template = join(building, 'template');
  const password = join(building, 'password');
  mkdirSync(template, { mode: 0o700 });
  writeFileSync(password, randomBytes(16).toString('hex'), { mode: 0o600 });
  giveTree(template, user);
  giveTree(password, user);
  await promisify(execFile)(
    join(building, 'native', 'bin', 'initdb'),
    ['--pgdata', template, '--username=postgres', `--pwfile=${password}`, '--auth=scram-sha-256'].concat(
      '--encoding=UTF8',
      '--locale=C',
      '--wal-segsize=1',
      '--no-sync',
      '--no-instructions',
    ),
    { ...user, cwd: building, env: postgresEnvironment, timeout: initdbBoundMs },
  );
  takeBack(template);
  takeBack(password);
}

/** A template must not be writable for the server's user: others may run as that user too. */
function takeBack(path: string): void {
  if (serverUser().uid !== undefined) giveTree(path, { uid: 0, gid: 0 });
}
