import { createHash, type Hash } from 'node:crypto';

/**
 * A hash of a body while it arrives. The parts of a form are hashed one by one, because each sending of the same form has another
 * boundary between them.
 */
export class BodyDigest {
  readonly #bytes = createHash('sha256');
  readonly #parts: { readonly name: readonly string[]; readonly hash: Hash }[] = [];

  /** Adds bytes of a body that is no form. */
  add(chunk: Uint8Array): void {
    this.#bytes.update(chunk);
  }

  /** Opens the hash of the next part of a form. */
  openPart(...name: readonly string[]): Hash {
    const hash = createHash('sha256');
    this.#parts.push({ name, hash });
    return hash;
  }

  /** The hash of the whole request: that of its body, and these texts. */
  finish(...texts: readonly (string | undefined)[]): string {
    const parts = this.#parts.map(({ name, hash }) => [...name, hash.digest('hex')]);
    const whole = JSON.stringify([texts, this.#bytes.digest('hex'), parts]);
    return createHash('sha256').update(whole).digest('hex');
  }
}
