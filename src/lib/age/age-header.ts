import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { type AgeIdentity, type AgeRecipient, recipientOf, sharedSecret } from './age-keys.ts';

// The header of an age file: https://age-encryption.org/v1

const VERSION = 'age-encryption.org/v1';
const X25519_LABEL = `${VERSION}/X25519`;
const SCRYPT_LABEL = `${VERSION}/scrypt`;
const CIPHER = 'chacha20-poly1305';
const TAG_BYTES = 16;
const FILE_KEY_BYTES = 16;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
/** The work of a passphrase: about a second and 256 MiB. */
const LOG_WORK = 18;
const MOST_LOG_WORK = 20;
const BLOCK_SIZE = 8;

/** Who can read a file: holders of keys, or of one passphrase. */
export type AgeReaders = { readonly recipients: readonly AgeRecipient[] } | { readonly passphrase: string };

/** The keys or the passphrase that a file is read with. */
export interface AgeSecrets {
  readonly identities?: readonly AgeIdentity[];
  readonly passphrase?: string | undefined;
}

/** The file cannot be decrypted; the message says why. */
export class AgeProblem extends Error {
  override readonly name = 'AgeProblem';
}

interface Stanza {
  readonly words: readonly string[];
  readonly body: Buffer;
}

/** Writes a header for a new file key. */
export async function writeAgeHeader(
  readers: AgeReaders,
  { logWork = LOG_WORK }: { readonly logWork?: number } = {},
): Promise<{ readonly header: string; readonly fileKey: Buffer }> {
  const fileKey = randomBytes(FILE_KEY_BYTES);
  const stanzas =
    'passphrase' in readers
      ? [await scryptStanza(fileKey, readers.passphrase, logWork)]
      : readers.recipients.map((recipient) => x25519Stanza(fileKey, recipient));
  const text = `${VERSION}\n${stanzas.map(stanzaText).join('')}---`;
  return { header: `${text} ${base64(headerMac(fileKey, text))}\n`, fileKey };
}

/** The file key of a header, which ends with the line of its MAC. */
export async function readAgeHeader(header: string, secrets: AgeSecrets): Promise<Buffer> {
  const mac = header.lastIndexOf('\n--- ') + '\n---'.length;
  const stanzas = stanzasOf(header);
  for (const stanza of stanzas) {
    const fileKey = await unwrap(stanza, secrets);
    if (fileKey === undefined) continue;
    const told = Buffer.from(header.slice(mac).trim(), 'base64');
    const expected = headerMac(fileKey, header.slice(0, mac));
    if (told.length !== expected.length || !timingSafeEqual(told, expected))
      throw new AgeProblem('its header was changed');
    return fileKey;
  }
  throw new AgeProblem(noReader(stanzas, secrets));
}

function noReader(stanzas: readonly Stanza[], { passphrase }: AgeSecrets): string {
  if (!stanzas.some(({ words }) => words[0] === 'scrypt'))
    return 'it is encrypted to a key, and none of the given ones is that key';
  return passphrase === undefined ? 'it is encrypted with a passphrase' : 'the passphrase is wrong';
}

function x25519Stanza(fileKey: Buffer, { bytes: recipient }: AgeRecipient): Stanza {
  const { privateKey } = generateKeyPairSync('x25519');
  const secret = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url');
  const { bytes: share } = recipientOf({ bytes: secret });
  const key = x25519Key(sharedSecret(secret, recipient), share, recipient);
  return { words: ['X25519', base64(share)], body: wrapped(key, fileKey) };
}

function x25519Key(shared: Buffer, share: Buffer, recipient: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', shared, Buffer.concat([share, recipient]), X25519_LABEL, 32));
}

async function scryptStanza(fileKey: Buffer, passphrase: string, logWork: number): Promise<Stanza> {
  const salt = randomBytes(SALT_BYTES);
  const key = await scryptKey(passphrase, salt, logWork);
  return { words: ['scrypt', base64(salt), String(logWork)], body: wrapped(key, fileKey) };
}

function scryptKey(passphrase: string, salt: Buffer, logWork: number): Promise<Buffer> {
  const cost = 2 ** logWork;
  const options = { cost, blockSize: BLOCK_SIZE, parallelization: 1, maxmem: 2 * 128 * cost * BLOCK_SIZE };
  return new Promise((resolve, reject) => {
    scrypt(passphrase, Buffer.concat([Buffer.from(SCRYPT_LABEL), salt]), 32, options, (error, key) =>
      error === null ? resolve(key) : reject(error),
    );
  });
}

async function unwrap({ words, body }: Stanza, secrets: AgeSecrets): Promise<Buffer | undefined> {
  const [kind, first = '', second = ''] = words;
  if (kind === 'scrypt') {
    const logWork = Number(second);
    if (secrets.passphrase === undefined || !/^\d+$/.test(second) || logWork > MOST_LOG_WORK)
      return undefined;
    return unwrapped(await scryptKey(secrets.passphrase, Buffer.from(first, 'base64'), logWork), body);
  }
  if (kind !== 'X25519') return undefined;
  const share = Buffer.from(first, 'base64');
  for (const identity of secrets.identities ?? []) {
    const key = x25519Key(secretWith(identity, share), share, recipientOf(identity).bytes);
    const fileKey = unwrapped(key, body);
    if (fileKey !== undefined) return fileKey;
  }
  return undefined;
}

/** Not every text of a changed header is a point of the curve. */
function secretWith(identity: AgeIdentity, share: Buffer): Buffer {
  try {
    return sharedSecret(identity.bytes, share);
  } catch {
    throw new AgeProblem('its header was changed');
  }
}

function wrapped(key: Buffer, fileKey: Buffer): Buffer {
  const cipher = createCipheriv(CIPHER, key, Buffer.alloc(NONCE_BYTES), { authTagLength: TAG_BYTES });
  return Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
}

function unwrapped(key: Buffer, body: Buffer): Buffer | undefined {
  if (body.length !== FILE_KEY_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, Buffer.alloc(NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(body.subarray(FILE_KEY_BYTES));
  const fileKey = decipher.update(body.subarray(0, FILE_KEY_BYTES));
  try {
    decipher.final();
    return fileKey;
  } catch {
    return undefined;
  }
}

function headerMac(fileKey: Buffer, text: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', fileKey, '', 'header', 32));
  return createHmac('sha256', key).update(text).digest();
}

function stanzaText({ words, body }: Stanza): string {
  return `-> ${words.join(' ')}\n${base64(body)}\n`;
}

function stanzasOf(header: string): readonly Stanza[] {
  const lines = header.split('\n');
  return lines.flatMap((line, index) => {
    if (!line.startsWith('-> ')) return [];
    return [{ words: line.slice(3).split(' '), body: Buffer.from(lines[index + 1] ?? '', 'base64') }];
  });
}

/** Standard base64 without padding. */
function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64').replaceAll('=', '');
}
