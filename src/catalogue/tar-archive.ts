import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { errorCode } from '../lib/error-code.ts';
import type { ArchiveLimits, ArchiveTargets } from './archive-limits.ts';
import { SourceFailed } from './fetch-failures.ts';

const BLOCK_BYTES = 512;
/** Size limit of records with long names. */
const MAX_RECORD_BYTES = 65_536;

/** Extracts members of a gzipped tar file; throws SourceFailed if one is missing. */
export async function extractFromTarball(
  archive: string,
  targets: ArchiveTargets,
  limits: ArchiveLimits,
): Promise<void> {
  const reader = new TarReader(targets, limits);
  const { signal } = limits;
  try {
    await pipeline(
      createReadStream(archive),
      createGunzip(),
      // A Writable, not a generator: if a generator throws, the pipeline only reports an abort.
      new Writable({
        write: (chunk: Buffer, _encoding, done) => void reader.read(chunk).then(() => done(), done),
      }),
      { signal },
    );
  } catch (error) {
    signal.throwIfAborted();
    const isDamage = errorCode(error)?.startsWith('Z_');
    throw isDamage ? new SourceFailed('the package is damaged', { cause: error }) : error;
  } finally {
    await reader.close();
  }
  const missing = [...targets.keys()].find((path) => !reader.written.has(path));
  if (missing !== undefined) throw new SourceFailed(`${missing} is not in the package`);
}

interface Member {
  readonly path: string;
  /** `0` a file, `x` and `L` records that name the next member; others are skipped. */
  readonly type: string;
  leftBytes: number;
  paddingBytes: number;
  readonly output: FileHandle | undefined;
  record: Buffer;
}

/** Incremental tar parser: 512-byte headers, each followed by a member padded to 512. */
class TarReader {
  readonly written = new Set<string>();
  readonly #targets: ArchiveTargets;
  readonly #limits: ArchiveLimits;
  #header = Buffer.alloc(0);
  #member: Member | undefined;
  #nextPath: string | undefined;

  constructor(targets: ArchiveTargets, limits: ArchiveLimits) {
    this.#targets = targets;
    this.#limits = limits;
  }

  async read(chunk: Buffer): Promise<void> {
    let rest = chunk;
    while (rest.length > 0) {
      rest =
        this.#member === undefined
          ? await this.#readHeader(rest)
          : await this.#readMember(rest, this.#member);
    }
  }

  async close(): Promise<void> {
    await this.#member?.output?.close();
    this.#member = undefined;
  }

  async #readHeader(chunk: Buffer): Promise<Buffer> {
    const missing = BLOCK_BYTES - this.#header.length;
    this.#header = Buffer.concat([this.#header, chunk.subarray(0, missing)]);
    if (this.#header.length === BLOCK_BYTES) {
      const header = this.#header;
      this.#header = Buffer.alloc(0);
      // Empty blocks end the archive.
      if (header.some((byte) => byte !== 0)) this.#member = await this.#open(header);
    }
    return chunk.subarray(missing);
  }

  async #open(header: Buffer): Promise<Member | undefined> {
    const type = String.fromCharCode(header[156] ?? 0).replace('\0', '0');
    const sizeBytes = Number.parseInt(text(header, 124, 12), 8);
    if (!Number.isSafeInteger(sizeBytes)) throw new SourceFailed('the package is no tar file');
    if ((type === 'x' || type === 'L') && sizeBytes > MAX_RECORD_BYTES) {
      throw new SourceFailed('the package has names that are too long');
    }
    const prefix = text(header, 345, 155);
    const own = `${prefix === '' ? '' : `${prefix}/`}${text(header, 0, 100)}`;
    const path = type === '0' ? (this.#nextPath ?? own) : own;
    if (type === '0') this.#nextPath = undefined;
    const target = type === '0' ? this.#targets.get(path) : undefined;
    if (target !== undefined && sizeBytes > this.#limits.maxBytes) {
      throw new SourceFailed('a file in the package is larger than it should be');
    }
    const paddingBytes = (BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES;
    const output = target === undefined ? undefined : await open(target, 'w', 0o600);
    const member = { path, type, leftBytes: sizeBytes, paddingBytes, output, record: Buffer.alloc(0) };
    if (sizeBytes > 0) return member;
    await this.#finish(member);
    return undefined;
  }

  async #readMember(chunk: Buffer, member: Member): Promise<Buffer> {
    const content = chunk.subarray(0, member.leftBytes);
    member.leftBytes -= content.length;
    if (member.output !== undefined) await member.output.writeFile(content);
    else if (member.type === 'x' || member.type === 'L') {
      member.record = Buffer.concat([member.record, content]);
    }
    const after = chunk.subarray(content.length);
    if (member.leftBytes > 0) return after;
    const padding = Math.min(after.length, member.paddingBytes);
    member.paddingBytes -= padding;
    if (member.paddingBytes === 0) {
      this.#member = undefined;
      await this.#finish(member);
    }
    return after.subarray(padding);
  }

  async #finish(member: Member): Promise<void> {
    const record = member.record.toString('utf8');
    if (member.type === 'L') this.#nextPath = record.replace(/\0+$/, '');
    if (member.type === 'x') this.#nextPath = /^\d+ path=(.*)$/m.exec(record)?.[1] ?? this.#nextPath;
    if (member.output === undefined) return;
    await member.output.close();
    this.written.add(member.path);
  }
}

function text(header: Buffer, start: number, length: number): string {
  const bytes = header.subarray(start, start + length);
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? length : end).trim();
}
