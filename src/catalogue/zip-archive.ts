import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import type { ArchiveLimits, ArchiveTargets } from './archive-limits.ts';
import { SourceFailed } from './fetch-failures.ts';
import { limitBytes } from './limit-bytes.ts';

const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const MEMBER_SIGNATURE = 0x02014b50;
const MEMBER_BYTES = 46;
const LOCAL_BYTES = 30;
const MAX_DIRECTORY_BYTES = 16_000_000;
const STORED = 0;
const DEFLATED = 8;

interface ZipMember {
  readonly path: string;
  readonly method: number;
  readonly packedBytes: number;
  readonly headerOffset: number;
}

/** Writes the wanted members of a zip file; throws SourceFailed where one is missing. Zip64 is not read. */
export async function extractFromZip(
  archive: string,
  targets: ArchiveTargets,
  limits: ArchiveLimits,
): Promise<void> {
  await using file = await open(archive, 'r');
  const members = parseDirectory(await readDirectory(file));
  for (const [path, target] of targets) {
    const member = members.find((candidate) => candidate.path === path);
    if (member === undefined) throw new SourceFailed(`${path} is not in the package`);
    const start = await dataOffset(file, member);
    await unpack(archive, { member, start, target, limits });
  }
}

async function readDirectory(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat();
  const tail = await readExactly(file, Math.max(0, size - END_BYTES - MAX_COMMENT_BYTES), size);
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue;
    const [bytes, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
    if (bytes > MAX_DIRECTORY_BYTES || offset + bytes > size) break;
    return readExactly(file, offset, offset + bytes);
  }
  throw new SourceFailed('the package is no zip file');
}

function parseDirectory(directory: Buffer): readonly ZipMember[] {
  const members: ZipMember[] = [];
  let at = 0;
  while (at + MEMBER_BYTES <= directory.length && directory.readUInt32LE(at) === MEMBER_SIGNATURE) {
    const nameBytes = directory.readUInt16LE(at + 28);
    members.push({
      path: directory.toString('utf8', at + MEMBER_BYTES, at + MEMBER_BYTES + nameBytes),
      method: directory.readUInt16LE(at + 10),
      packedBytes: directory.readUInt32LE(at + 20),
      headerOffset: directory.readUInt32LE(at + 42),
    });
    at += MEMBER_BYTES + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return members;
}

/** Only the header beside the data says how long its own name and extra fields are. */
async function dataOffset(file: FileHandle, { headerOffset }: ZipMember): Promise<number> {
  const header = await readExactly(file, headerOffset, headerOffset + LOCAL_BYTES);
  return headerOffset + LOCAL_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}

interface Unpacking {
  readonly member: ZipMember;
  readonly start: number;
  readonly target: string;
  readonly limits: ArchiveLimits;
}

async function unpack(archive: string, { member, start, target, limits }: Unpacking): Promise<void> {
  const { method, packedBytes, path } = member;
  if ((method !== STORED && method !== DEFLATED) || packedBytes === 0) {
    throw new SourceFailed(`${path} is packed in a way that is not read here`);
  }
  const packed = createReadStream(archive, { start, end: start + packedBytes - 1 });
  const limit = limitBytes(limits.maxBytes);
  const output = createWriteStream(target, { mode: 0o600 });
  const { signal } = limits;
  try {
    if (method === STORED) await pipeline(packed, limit, output, { signal });
    else await pipeline(packed, createInflateRaw(), limit, output, { signal });
  } catch (error) {
    throw asDamage(error, path, signal);
  }
}

function asDamage(error: unknown, path: string, signal: AbortSignal): unknown {
  signal.throwIfAborted();
  const isDamage = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
  return isDamage ? new SourceFailed(`${path} is damaged in the package`, { cause: error }) : error;
}

async function readExactly(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
  if (bytesRead !== end - start) throw new SourceFailed('the package is cut short');
  return buffer;
}
