import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';
import { errorCode } from '../lib/error-code.ts';
import {
  findZipDirectory,
  parseZipDirectory,
  ZIP_DEFLATED,
  ZIP_HEADER_BYTES,
  ZIP_STORED,
  ZIP_TAIL_BYTES,
  type ZipMember,
  zipDataOffset,
} from '../lib/zip-directory.ts';
import type { ArchiveLimits, ArchiveTargets } from './archive-limits.ts';
import { SourceFailed } from './fetch-failures.ts';
import { limitBytes } from './limit-bytes.ts';

/** Extracts members of a zip file; throws SourceFailed if one is missing. Zip64 is not supported. */
export async function extractFromZip(
  archive: string,
  targets: ArchiveTargets,
  limits: ArchiveLimits,
): Promise<void> {
  await using file = await open(archive, 'r');
  const members = parseZipDirectory(await readDirectory(file));
  for (const [path, target] of targets) {
    const member = members.find((candidate) => candidate.path === path);
    if (member === undefined) throw new SourceFailed(`${path} is not in the package`);
    const start = await dataOffset(file, member);
    await unpack(archive, { member, start, target, limits });
  }
}

async function readDirectory(file: FileHandle): Promise<Buffer> {
  const { size } = await file.stat();
  const tail = await readExactly(file, Math.max(0, size - ZIP_TAIL_BYTES), size);
  const range = findZipDirectory(tail, size);
  if (!range) throw new SourceFailed('the package is no zip file');
  return readExactly(file, range.start, range.end);
}

async function dataOffset(file: FileHandle, member: ZipMember): Promise<number> {
  const { headerOffset } = member;
  return zipDataOffset(await readExactly(file, headerOffset, headerOffset + ZIP_HEADER_BYTES), member);
}

interface Unpacking {
  readonly member: ZipMember;
  readonly start: number;
  readonly target: string;
  readonly limits: ArchiveLimits;
}

async function unpack(archive: string, { member, start, target, limits }: Unpacking): Promise<void> {
  const { method, packedBytes, path } = member;
  if ((method !== ZIP_STORED && method !== ZIP_DEFLATED) || packedBytes === 0) {
    throw new SourceFailed(`${path} is packed in a way that is not read here`);
  }
  const packed = createReadStream(archive, { start, end: start + packedBytes - 1 });
  const limit = limitBytes(limits.maxBytes);
  const output = createWriteStream(target, { mode: 0o600 });
  const { signal } = limits;
  try {
    if (method === ZIP_STORED) await pipeline(packed, limit, output, { signal });
    else await pipeline(packed, createInflateRaw(), limit, output, { signal });
  } catch (error) {
    throw asDamage(error, path, signal);
  }
}

function asDamage(error: unknown, path: string, signal: AbortSignal): unknown {
  signal.throwIfAborted();
  const isDamage = errorCode(error)?.startsWith('Z_');
  return isDamage ? new SourceFailed(`${path} is damaged in the package`, { cause: error }) : error;
}

async function readExactly(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
  if (bytesRead !== end - start) throw new SourceFailed('the package is cut short');
  return buffer;
}
