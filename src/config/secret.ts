import { inspect } from 'node:util';

const mask = '[secret]';

/** A value that prints, logs and serialises as `[secret]`. */
export class Secret {
  #value: string;

  constructor(value: string) {
    this.#value = value;
    Object.freeze(this);
  }

  reveal(): string {
    return this.#value;
  }

  /** Takes the value of another one, for who holds this one already. */
  replaceBy(other: Secret): void {
    this.#value = other.#value;
  }

  toString(): string {
    return mask;
  }

  toJSON(): string {
    return mask;
  }

  [inspect.custom](): string {
    return mask;
  }
}
