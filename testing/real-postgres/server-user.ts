import { chmodSync, lchownSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const nobody = 65_534;
const searchableByOthers = 0o001;

/** Whom the server runs as: PostgreSQL refuses to run as root, so root hands it to "nobody". */
export interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** The user for servers started by this process; empty when it is simply ourselves. */
export function serverUser(): ServerUser {
  return process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
}

/** Environment of every PostgreSQL program: nothing of ours, since PG* variables would change what it does. */
export const postgresEnvironment = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' } as const;

/** A folder for temporary files into which the server's user can also walk. */
export function sharedTemporaryFolder(): string {
  const candidates = [tmpdir(), '/tmp', '/var/tmp'];
  if (serverUser().uid === undefined) return tmpdir();
  const found = candidates.find(isSearchable);
  if (found === undefined)
    throw new Error(`no temporary folder is open to user ${nobody}: tried ${candidates}`);
  return found;
}

/** Gives a file, or a folder and all in it, to a user; nothing happens unless we are root. */
export function giveTree(folder: string, owner: ServerUser): void {
  const { uid, gid } = owner;
  if (uid === undefined || gid === undefined) return;
  for (const path of entriesOf(folder)) lchownSync(path, uid, gid);
}

/** Lets every user read and run what is in a folder, whatever mode npm unpacked it with. */
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
