import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { bech32Decode, bech32Encode } from './bech32.ts';

const RECIPIENT = 'age';
const IDENTITY = 'age-secret-key-';
const KEY_BYTES = 32;

/** A public key that files are encrypted to: `age1…`. */
export interface AgeRecipient {
  readonly bytes: Buffer;
}

/** A secret key: `AGE-SECRET-KEY-1…`. */
export interface AgeIdentity {
  readonly bytes: Buffer;
}

/** Undefined if the text is no public key. */
export function parseRecipient(text: string): AgeRecipient | undefined {
  return keyOf(RECIPIENT, text);
}

/** Undefined if the text is no secret key. */
export function parseIdentity(text: string): AgeIdentity | undefined {
  return keyOf(IDENTITY, text);
}

/** Makes a new pair of keys, as texts. */
export function makeAgeKeys(): { readonly identity: string; readonly recipient: string } {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const secret = privateKey.export({ format: 'jwk' }).d ?? '';
  return {
    identity: bech32Encode(IDENTITY, Buffer.from(secret, 'base64url')).toUpperCase(),
    recipient: bech32Encode(RECIPIENT, publicBytes(publicKey)),
  };
}

/** The public key of a secret one. */
export function recipientOf({ bytes }: AgeIdentity): AgeRecipient {
  return { bytes: publicBytes(createPublicKey(privateKeyOf(bytes))) };
}

/** The secret that a secret and a public key have in common. */
export function sharedSecret(secret: Uint8Array, shared: Uint8Array): Buffer {
  return diffieHellman({ privateKey: privateKeyOf(secret), publicKey: publicKeyOf(shared) });
}

function keyOf(prefix: string, text: string): { readonly bytes: Buffer } | undefined {
  const bytes = bech32Decode(prefix, text.trim());
  return bytes?.length === KEY_BYTES ? { bytes } : undefined;
}

function publicBytes(key: KeyObject): Buffer {
  return Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url');
}

function publicKeyOf(bytes: Uint8Array): KeyObject {
  const x = Buffer.from(bytes).toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
}

/** Wraps the raw bytes in the DER of a private key: the JWK form would need the public one too. */
function privateKeyOf(bytes: Uint8Array): KeyObject {
  const start = Buffer.from('302e020100300506032b656e04220420', 'hex');
  return createPrivateKey({ key: Buffer.concat([start, bytes]), format: 'der', type: 'pkcs8' });
}
