import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { AgeProblem, type AgeSecrets } from '../lib/age/age-header.ts';
import { decryptAge, isAgeFile } from '../lib/age/age-stream.ts';
import { errorCode } from '../lib/error-code.ts';
import { splitLines } from '../lib/split-lines.ts';
import { OperatorError } from './operator-error.ts';

// A backup is gzipped JSON lines: a head, rows by table, blobs in pieces, and an end with a checksum of everything before.

const FORMAT = 1;
const START_BYTES = 32;

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
export async function* readBackup(path: string, secrets: AgeSecrets): AsyncGenerator<BackupPart> {
  let isHead = true;
  for await (const line of lines(path, secrets)) {
    if (isHead) isHead = false;
    else yield parsePart(line);
  }
}

/** A backup that was read to its end. */
export interface VerifiedBackup {
  readonly head: BackupHead;
  readonly rows: number;
  readonly blobs: number;
}

/** Reads a backup to the end; throws if it was altered or truncated, or cannot be decrypted with these secrets. */
export async function verifyBackup(path: string, secrets: AgeSecrets): Promise<VerifiedBackup> {
  const hash = createHash('sha256');
  let head: BackupHead | undefined;
  let end: string | undefined;
  for await (const line of lines(path, secrets)) {
    if (head === undefined) head = parseHead(line);
    if (end !== undefined) throw damaged('it goes on after its end');
    if (line.startsWith('{"end":')) end = line;
    else hash.update(line).update('\n');
  }
  const part = end === undefined ? undefined : parsePart(end);
  if (head === undefined || part === undefined || !('end' in part)) throw damaged('it is cut off');
  if (part.end.sha256 !== hash.digest('hex')) throw damaged('its checksum differs');
  return { head, rows: part.end.rows, blobs: part.end.blobs };
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

async function* lines(path: string, secrets: AgeSecrets): AsyncGenerator<string> {
  try {
    const isEncrypted = isAgeFile(await startOf(path));
    const file = createReadStream(path);
    const content = createGunzip();
    const opened = isEncrypted ? Readable.from(decryptAge(file, secrets)) : file;
    opened.once('error', (error: Error) => content.destroy(error));
    opened.pipe(content);
    try {
      yield* splitLines(content);
    } finally {
      opened.destroy();
      file.destroy();
      content.destroy();
    }
  } catch (error) {
    throw readProblem(error);
  }
}

async function startOf(path: string): Promise<Buffer> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

function readProblem(error: unknown): unknown {
  if (error instanceof AgeProblem)
    return new OperatorError(`the backup cannot be decrypted: ${error.message}`);
  const code = errorCode(error) ?? '';
  if (code.startsWith('Z_')) return damaged('it is not gzip, or is cut off');
  if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
    return new OperatorError(`the backup cannot be read: ${code}`);
  return error;
}

function damaged(reason: string): OperatorError {
  return new OperatorError(`the backup is damaged: ${reason}`);
}
