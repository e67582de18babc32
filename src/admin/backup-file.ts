import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { errorCode } from '../lib/error-code.ts';
import { splitLines } from '../lib/split-lines.ts';
import { OperatorError } from './operator-error.ts';

// A backup is gzipped JSON lines: a head, rows by table, blobs in pieces, and an end with a checksum of everything before.

const FORMAT = 1;

const headSchema = z.object({
  stackgate: z.literal('backup'),
  format: z.literal(FORMAT),
  version: z.string(),
  migrations: z.array(z.string()),
  createdAt: z.string(),
});

const partSchema = z.union([
  z.object({ table: z.string() }),
  z.object({ blob: z.string() }),
  z.object({ bytes: z.string() }),
  z.object({ end: z.object({ rows: z.int(), blobs: z.int(), sha256: z.string() }) }),
]);

/** The first line of a backup. */
export type BackupHead = z.infer<typeof headSchema>;

/** One line of a backup. A row stays text, because its numbers may exceed JavaScript's. */
export type BackupPart = z.infer<typeof partSchema> | { readonly row: string };

export function backupHead(version: string, migrations: readonly string[], createdAt: Date): BackupHead {
  return {
    stackgate: 'backup',
    format: FORMAT,
    version,
    migrations: [...migrations],
    createdAt: createdAt.toISOString(),
  };
}

const ROW_START = '{"row":';

export function rowLine(row: string): string {
  return `${ROW_START}${row}}`;
}

/** Reads a backup after its head. */
export async function* readBackup(path: string): AsyncGenerator<BackupPart> {
  let isHead = true;
  for await (const line of lines(path)) {
    if (isHead) isHead = false;
    else yield parsePart(line);
  }
}

/** Reads a backup to the end and returns its head; throws if it was altered or truncated. */
export async function verifyBackup(path: string): Promise<BackupHead> {
  const hash = createHash('sha256');
  let head: BackupHead | undefined;
  let end: string | undefined;
  for await (const line of lines(path)) {
    if (head === undefined) head = parseHead(line);
    if (end !== undefined) throw damaged('it goes on after its end');
    if (line.startsWith('{"end":')) end = line;
    else hash.update(line).update('\n');
  }
  const part = end === undefined ? undefined : parsePart(end);
  if (head === undefined || part === undefined || !('end' in part)) throw damaged('it is cut off');
  if (part.end.sha256 !== hash.digest('hex')) throw damaged('its checksum differs');
  return head;
}

function parseHead(line: string): BackupHead {
  const head = headSchema.safeParse(jsonOf(line));
  if (head.success) return head.data;
  throw new OperatorError('the file is not a Stackgate backup, or was made by a version with another format');
}

function parsePart(line: string): BackupPart {
  if (line.startsWith(ROW_START)) return { row: line.slice(ROW_START.length, -1) };
  const part = partSchema.safeParse(jsonOf(line));
  if (part.success) return part.data;
  throw damaged('a line is not of its format');
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

async function* lines(path: string): AsyncGenerator<string> {
  const file = createReadStream(path);
  const content = file.pipe(createGunzip());
  file.once('error', (error) => content.destroy(error));
  try {
    yield* splitLines(content);
  } catch (error) {
    throw readProblem(error);
  } finally {
    file.destroy();
    content.destroy();
  }
}

function readProblem(error: unknown): unknown {
  const code = errorCode(error) ?? '';
  if (code.startsWith('Z_')) return damaged('it is not gzip, or is cut off');
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
    return new OperatorError(`the backup cannot be read: ${code}`);
  return error;
}

function damaged(reason: string): OperatorError {
  return new OperatorError(`the backup is damaged: ${reason}`);
}
