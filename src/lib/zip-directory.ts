const END_SIGNATURE = 0x06054b50;
const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const MEMBER_SIGNATURE = 0x02014b50;
const MEMBER_BYTES = 46;
const MAX_DIRECTORY_BYTES = 16_000_000;

/** Bytes at the end of a zip file needed to find its directory. */
export const ZIP_TAIL_BYTES = END_BYTES + MAX_COMMENT_BYTES;
/** Bytes of a member's header needed to find its data. */
export const ZIP_HEADER_BYTES = 30;

/** Supported compression methods. */
export const ZIP_STORED = 0;
export const ZIP_DEFLATED = 8;

export interface ZipMember {
  readonly path: string;
  readonly method: number;
  readonly packedBytes: number;
  readonly headerOffset: number;
}

/** The range of the directory, from the end of the file; undefined if it is not a zip file. */
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

/** The members in the directory. Zip64 is not supported. */
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

/** Where a member's data starts: only its local header has the lengths of its name and extra fields. */
export function zipDataOffset(header: Buffer, { headerOffset }: ZipMember): number {
  return headerOffset + ZIP_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
}
