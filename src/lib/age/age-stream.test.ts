import { describe, expect, it } from 'vitest';
import { AgeProblem, type AgeReaders, type AgeSecrets } from './age-header.ts';
import { makeAgeKeys, parseIdentity, parseRecipient } from './age-keys.ts';
import { decryptAge, encryptAge, isAgeFile } from './age-stream.ts';

/** The key, and a file that the reference implementation in JavaScript encrypted to it and to another. */
const KNOWN_IDENTITY = 'AGE-SECRET-KEY-1H4TAYM6GQTCAP3EY68LCGLCKR7SWNFPY85YNSRC6ZDYGQESTP92SHWQDYG';
const KNOWN_FILE =
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSBtN2krMlFLWTllaE5GZjBrbTBWRlFza3JFdlZrZlBqV3VERXpuVGt2R3hJCitaUEpKSmpDRkg1bDNsOVJ4bWJyL0Zua3VERUVvYllRQ2ZvTGFhN0Nycm8KLT4gWDI1NTE5IDlTRWw4b2RLMTZKRGxZUTR2SGE2dkJ0M3VXSS9sOWRkRzN4MGJjM1ZYekEKYmF3a05yRDVOVkRleFBnUG56akdZazdBMlZlMjIycGgzK0I3YTBJc0VlWQotLS0gek5pQ2tEK0lkSldUV1VaVXdlZEhjVUw0QTArUFpBZkhiMXNyczFOcmpzawotO5O9h5YqmYq6Jhwat95LmXogoFe8HgFI/XQJMBNocLr+kV/ZaPG0DQPkfYp+';
const PASSPHRASE_FILE =
  'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCB1bFBoZmN2SEpaTE1idTdPRFZDNGRRIDYKZmg2eGpiVU5od0N3MmdiSlVkRjVjUmY4Ky8vVGpJdkFkekgvdDNZdnJuYwotLS0gM3E0MHlGM3Z6M05WWnFrRzRrV3RTaDlKSkxrODlGellRSzE1OUJLYUV5SQqc+keAaskRdjmSo9SaF3gEdNYT4buWsAaeCu1R40t0SDNp+Tq2DX5UjfRB96Yj';
const CHUNK = 64 * 1024;

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

async function whole(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

function newKeys() {
  const { identity, recipient } = makeAgeKeys();
  const [secret, shared] = [parseIdentity(identity), parseRecipient(recipient)];
  if (secret === undefined || shared === undefined) throw new Error('keys are readable');
  return { readers: { recipients: [shared] }, secrets: { identities: [secret] } };
}

const encrypted = (plain: Buffer, readers: AgeReaders) =>
  whole(encryptAge(cut(plain, 1_000_003), readers, { logWork: 4 }));
const decrypted = (file: Buffer, secrets: AgeSecrets, size = 10_007) =>
  whole(decryptAge(cut(file, size), secrets));

describe('an age file', () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 7])(
    'of %i bytes is read as it was written',
    async (size) => {
      const { readers, secrets } = newKeys();
      const plain = Buffer.alloc(size, 'stackgate ');
      const file = await encrypted(plain, readers);
      expect(isAgeFile(file)).toBe(true);
      expect((await decrypted(file, secrets)).equals(plain)).toBe(true);
      expect((await decrypted(file, secrets, 1 + Math.floor(file.length / 3))).equals(plain)).toBe(true);
    },
  );

  it('is read with the passphrase that it was written with', async () => {
    const file = await encrypted(Buffer.from('hello'), { passphrase: 'correct horse' });
    expect(String(await decrypted(file, { passphrase: 'correct horse' }))).toBe('hello');
    await expect(decrypted(file, { passphrase: 'wrong' })).rejects.toThrow('the passphrase is wrong');
    await expect(decrypted(file, newKeys().secrets)).rejects.toThrow('it is encrypted with a passphrase');
  });

  it('is read by each of its recipients, and by no other key', async () => {
    const [one, two, other] = [newKeys(), newKeys(), newKeys()];
    const recipients = [...one.readers.recipients, ...two.readers.recipients];
    const file = await encrypted(Buffer.from('hello'), { recipients });
    expect(String(await decrypted(file, one.secrets))).toBe('hello');
    expect(String(await decrypted(file, two.secrets))).toBe('hello');
    await expect(decrypted(file, other.secrets)).rejects.toThrow('none of the given ones is that key');
  });

  it('made by another program is read', async () => {
    const identity = parseIdentity(KNOWN_IDENTITY);
    const identities = identity === undefined ? [] : [identity];
    expect(String(await decrypted(Buffer.from(KNOWN_FILE, 'base64'), { identities }))).toBe('made elsewhere');
    const passphrase = 'correct horse battery staple';
    expect(String(await decrypted(Buffer.from(PASSPHRASE_FILE, 'base64'), { passphrase }))).toBe(
      'made elsewhere',
    );
  });

  it('is refused when its header is no longer one', async () => {
    const { readers, secrets } = newKeys();
    const file = (await encrypted(Buffer.from('hello'), readers)).toString('latin1');
    const changed = Buffer.from(file.replace(/X25519 \S+/, 'X25519 AAAA'), 'latin1');
    await expect(decrypted(changed, secrets)).rejects.toThrow(AgeProblem);
  });

  it('is refused wherever a byte was changed or cut off', async () => {
    const { readers, secrets } = newKeys();
    const file = await encrypted(Buffer.alloc(2 * CHUNK + 9), readers);
    for (let step = 0; step < 12; step++) {
      const place = Math.floor((step * file.length) / 12);
      const changed = Buffer.from(file);
      changed.writeUInt8(changed.readUInt8(place) ^ 0x21, place);
      await expect(decrypted(changed, secrets)).rejects.toThrow();
      await expect(decrypted(file.subarray(0, place), secrets)).rejects.toThrow();
    }
    const wholeChunks = file.subarray(0, file.length - 9 - 16);
    await expect(decrypted(wholeChunks, secrets)).rejects.toThrow('it was changed, or is cut off');
  });
});

describe('the text of a key', () => {
  it('is of the usual form, and refused when a letter is wrong', () => {
    const { identity, recipient } = makeAgeKeys();
    expect(recipient).toMatch(/^age1[a-z0-9]{58}$/);
    expect(identity).toMatch(/^AGE-SECRET-KEY-1[A-Z0-9]{58}$/);
    expect(parseRecipient(`${recipient.slice(0, -1)}${recipient.endsWith('q') ? 'p' : 'q'}`)).toBeUndefined();
    expect(parseRecipient(identity)).toBeUndefined();
    expect(parseIdentity('')).toBeUndefined();
  });
});
