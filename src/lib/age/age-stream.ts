import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { AgeProblem, type AgeReaders, type AgeSecrets, readAgeHeader, writeAgeHeader } from './age-header.ts';

const CIPHER = 'chacha20-poly1305';
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const NONCE_BYTES = 16;
const MOST_HEADER_BYTES = 64 * 1024;
const MAGIC = 'age-encryption.org/';

/** Whether a file that begins with these bytes is an age file. */
export function isAgeFile(start: Uint8Array): boolean {
  return Buffer.from(start.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;
}

/** Encrypts a stream in the format of age: piece by piece, each of them authenticated. */
export async function* encryptAge(
  pieces: AsyncIterable<Uint8Array>,
  readers: AgeReaders,
  options: { readonly logWork?: number } = {},
): AsyncGenerator<Buffer> {
  const { header, fileKey } = await writeAgeHeader(readers, options);
  const nonce = randomBytes(NONCE_BYTES);
  yield Buffer.concat([Buffer.from(header), nonce]);
  const key = payloadKey(fileKey, nonce);
  let count = 0;
  for await (const { bytes, isLast } of chunks(pieces, CHUNK_BYTES)) {
    const cipher = createCipheriv(CIPHER, key, chunkNonce(count++, isLast), { authTagLength: TAG_BYTES });
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }
}

/** Decrypts a stream. Throws an AgeProblem where it was changed or cut off, or when nothing given can read it. */
export async function* decryptAge(
  pieces: AsyncIterable<Uint8Array>,
  secrets: AgeSecrets,
): AsyncGenerator<Buffer> {
  const { header, rest } = await splitHeader(pieces);
  const fileKey = await readAgeHeader(header, secrets);
  let key: Buffer | undefined;
  let count = 0;
  const payload = async function* (): AsyncGenerator<Uint8Array> {
    let start = Buffer.alloc(0);
    for await (const piece of rest) {
      if (key !== undefined) {
        yield piece;
        continue;
      }
      start = Buffer.concat([start, piece]);
      if (start.length < NONCE_BYTES) continue;
      key = payloadKey(fileKey, start.subarray(0, NONCE_BYTES));
      yield start.subarray(NONCE_BYTES);
    }
  };
  for await (const { bytes, isLast } of chunks(payload(), CHUNK_BYTES + TAG_BYTES)) {
    if (key === undefined || bytes.length < TAG_BYTES) throw new AgeProblem('it is cut off');
    yield opened(key, chunkNonce(count++, isLast), bytes);
  }
}

function opened(key: Buffer, nonce: Buffer, bytes: Buffer): Buffer {
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  const plain = decipher.update(bytes.subarray(0, bytes.length - TAG_BYTES));
  try {
    decipher.final();
  } catch {
    throw new AgeProblem('it was changed, or is cut off');
  }
  return plain;
}

function payloadKey(fileKey: Buffer, nonce: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', fileKey, nonce, 'payload', 32));
}

/** Eleven bytes that count, and one that marks the last chunk. */
function chunkNonce(count: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUIntBE(count, 5, 6);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

/** Cuts a stream into chunks of one size; the last may be shorter, and only it may be empty. */
async function* chunks(
  pieces: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<{ readonly bytes: Buffer; readonly isLast: boolean }> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  for await (const piece of pieces) {
    held.push(piece);
    heldBytes += piece.length;
    // The last chunk is known only when nothing follows it.
    if (heldBytes <= size) continue;
    let whole = Buffer.concat(held);
    while (whole.length > size) {
      yield { bytes: whole.subarray(0, size), isLast: false };
      whole = whole.subarray(size);
    }
    held = [whole];
    heldBytes = whole.length;
  }
  yield { bytes: Buffer.concat(held), isLast: true };
}

async function splitHeader(
  pieces: AsyncIterable<Uint8Array>,
): Promise<{ readonly header: string; readonly rest: AsyncIterable<Uint8Array> }> {
  const iterator = pieces[Symbol.asyncIterator]();
  let start = Buffer.alloc(0);
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    start = Buffer.concat([start, next.value]);
    const mark = start.indexOf('\n--- ');
    const end = mark === -1 ? -1 : start.indexOf('\n', mark + 1);
    if (end !== -1) {
      const left = start.subarray(end + 1);
      return { header: start.toString('latin1', 0, end + 1), rest: continued(left, iterator) };
    }
    if (start.length > MOST_HEADER_BYTES) break;
  }
  throw new AgeProblem('it has no whole header');
}

async function* continued(
  first: Uint8Array,
  iterator: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
}
