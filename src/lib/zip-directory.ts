const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const MEMBER_SIGNATURE = 0x02014b50;
const MEMBER_BYTES = 46;
const MAX_DIRECTORY_BYTES = 16_000_000;

/** How much of the end of a zip file is needed to find its directory. */
export const ZIP_TAIL_BYTES = END_BYTES + MAX_COMMENT_BYTES;
/** How much of a member's own header is needed to find its data. */
export const ZIP_HEADER_BYTES = 30;

/** How the bytes of a member are packed; others are not read. */
export const ZIP_STORED = 0;
export const ZIP_DEFLATED = 8;

/** A file in a zip file. */
export interface ZipMember {
  readonly path: string;
  readonly method: number;
  readonly packedBytes: number;
  readonly headerOffset: number;
}

/** From where to where the directory stands, told by the end of the file; undefined where it is no zip file. */
export function findZipDirectory(
  tail: Buffer,
  sizeBytes: number,
): { start: number; end: number } | undefined {
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END_SIGNATURE) continue;
    const [bytes, start] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
    return bytes > MAX_DIRECTORY_BYTES || start + bytes > sizeBytes
      ? undefined
      : { start, end: start + bytes };
  }
  return undefined;
}

/** What the directory lists. Zip64 is not read. */
export function parseZipDirectory(directory: Buffer): readonly ZipMember[] {
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

/** Where a member's data begins: only the header beside it says how long its own name and extra fields are. */
export function zipDataOffset(header: Buffer, { headerOffset }: ZipMember): number {
  return headerOffset + ZIP_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}
