import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { RequestIdentity } from './request-identity.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const LENGTH_BYTES = 4;

/** An answer that can be sent again. */
export interface KeptAnswer {
  readonly status: number;
  /** Its header lines, without those that belong to one request only. */
  readonly lines: string;
  readonly body: Buffer;
}

const headShape = z.object({ status: z.int(), lines: z.string() });

/** Encrypts an answer for the holder of its Idempotency-Key. */
export function sealAnswer(
  { request, secret }: RequestIdentity,
  { status, lines, body }: KeptAnswer,
): Buffer {
  const head = Buffer.from(JSON.stringify({ status, lines }));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(head.length);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, secret, nonce).setAAD(Buffer.from(request.id));
  const sealed = [cipher.update(length), cipher.update(head), cipher.update(body), cipher.final()];
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]);
}

/** Decrypts an answer; throws if it was changed or belongs to another request. */
export function openAnswer({ request, secret }: RequestIdentity, sealed: Uint8Array): KeptAnswer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength);
  const decipher = createDecipheriv(CIPHER, secret, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  }).setAAD(Buffer.from(request.id));
  decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
  const opened = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES));
  decipher.final();
  const bodyStart = LENGTH_BYTES + opened.readUInt32BE();
  const { status, lines } = headShape.parse(JSON.parse(String(opened.subarray(LENGTH_BYTES, bodyStart))));
  return { status, lines, body: opened.subarray(bodyStart) };
}
