import { chmodSync, lchownSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const unprivileged = 65_534;
const searchableByOthers = 0o001;

/** The server's user: PostgreSQL refuses to run as root, so root starts it as an unprivileged user. */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** The user for servers started by this process; empty for our own. */
export function serverUser(): ServerUser {
  return process.getuid?.() === 0 ? { uid: unprivileged, gid: unprivileged } : {};
}

/** Environment of every PostgreSQL program: none of ours, since PG* variables would change its behaviour. */
export const postgresEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' } as const;

/** A temporary folder that the server's user can enter. */
export function sharedTemporaryFolder(): string {
  const candidates = [tmpdir(), '/tmp', '/var/tmp'];
  if (serverUser().uid === undefined) return tmpdir();
  const found = candidates.find(isSearchable);
  if (found === undefined)
    throw new Error(`no temporary folder is open to user ${unprivileged}: tried ${candidates}`);
  return found;
}

/** Changes the owner of a file or tree; does nothing unless we are root. */
export function giveTree(folder: string, owner: ServerUser): void {
  const { uid, gid } = owner;
  if (uid === undefined || gid === undefined) return;
  for (const path of entriesOf(folder)) lchownSync(path, uid, gid);
}

/** Lets every user read and execute a tree, whatever modes npm unpacked it with. */
export function openTree(folder: string): void {
  for (const path of entriesOf(folder)) chmodSync(path, 0o755);
}

function entriesOf(folder: string): readonly string[] {
  if (!statSync(folder).isDirectory()) return [folder];
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return [folder, ...names.map((name) => join(folder, name))];
}

function isSearchable(folder: string): boolean {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & searchableByOthers) === 0) return false;
  return dirname(folder) === folder || isSearchable(dirname(folder));
}
