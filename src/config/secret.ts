import { inspect } from 'node:util';

const mask = '[secret]';

/** A value that shows only when asked by name: printing, logging or serialising it gives `[secret]`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
    Object.freeze(this);
  }

  /** The value itself, for the one call that needs it. */
  reveal(): string {
    return this.#value;
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
