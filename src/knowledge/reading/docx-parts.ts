import { inflateRawSync } from 'node:zlib';
import { hasErrorCode } from '../../lib/error-code.ts';
import {
  findZipDirectory,
  parseZipDirectory,
  ZIP_DEFLATED,
  ZIP_HEADER_BYTES,
  ZIP_STORED,
  ZIP_TAIL_BYTES,
  type ZipMember,
  zipDataOffset,
} from '../../lib/zip-directory.ts';
import type { DocumentSource } from './document-source.ts';
import { unreadableDocument } from './unreadable-document.ts';

/** Unpacked bytes of a document; the text of a thousand pages is about 20 MiB. */
const MAX_UNPACKED_BYTES = 128 * 2 ** 20;

/** Lists the members of the package without unpacking them. */
export function listParts({ name, bytes }: DocumentSource): readonly ZipMember[] {
  const file = bufferOf(bytes);
  const range = findZipDirectory(file.subarray(-ZIP_TAIL_BYTES), file.length);
  if (!range) throw damaged(name);
  return parseZipDirectory(file.subarray(range.start, range.end));
}

/** Unpacks members of a DOCX one by one, within a total bound. */
export class DocxParts {
  readonly #source: DocumentSource;
  readonly #members: ReadonlyMap<string, ZipMember>;
  #leftBytes = MAX_UNPACKED_BYTES;

  constructor(source: DocumentSource) {
    this.#source = source;
    this.#members = new Map(listParts(source).map((member) => [member.path, member]));
  }

  /** Undefined if there is no such member. */
  read(path: string): Buffer | undefined {
    const member = this.#members.get(path);
    if (!member) return undefined;
    const part = this.#unpack(this.#packed(member), member.method);
    this.#leftBytes -= part.length;
    return part;
  }

  #packed(member: ZipMember): Buffer {
    const file = bufferOf(this.#source.bytes);
    const { headerOffset, packedBytes } = member;
    const header = file.subarray(headerOffset, headerOffset + ZIP_HEADER_BYTES);
    if (header.length < ZIP_HEADER_BYTES) throw damaged(this.#source.name);
    const start = zipDataOffset(header, member);
    if (start + packedBytes > file.length) throw damaged(this.#source.name);
    return file.subarray(start, start + packedBytes);
  }

  #unpack(packed: Buffer, method: number): Buffer {
    if (method === ZIP_STORED) {
      if (packed.length > this.#leftBytes) throw this.#tooLarge();
      return packed;
    }
    if (method !== ZIP_DEFLATED) throw damaged(this.#source.name);
    try {
      return inflateRawSync(packed, { maxOutputLength: Math.max(1, this.#leftBytes) });
    } catch (error) {
      const isTooLarge = hasErrorCode(error, 'ERR_BUFFER_TOO_LARGE');
      throw isTooLarge ? this.#tooLarge(error) : damaged(this.#source.name, error);
    }
  }

  #tooLarge(cause?: unknown): Error {
    const reason = `unpacks to more than ${MAX_UNPACKED_BYTES / 2 ** 20} MiB; split it`;
    return unreadableDocument(this.#source.name, reason, cause);
  }
}

function damaged(name: string, cause?: unknown): Error {
  return unreadableDocument(name, 'is damaged or cut short; send another copy of it', cause);
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
