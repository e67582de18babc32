import type { KeyPath } from './config-problem.ts';

/** The values of the file before they are checked, with where each one stands. */
export class ConfigTree {
  value: unknown;
  readonly #lines = new Map<string, number>();
  readonly #substituted = new Set<string>();
  readonly #unresolved = new Set<string>();

  setLine(path: KeyPath, line: number): void {
    this.#lines.set(key(path), line);
  }

  /** The line of a key, or of the nearest one around it that is in the file. */
  lineOf(path: KeyPath): number {
    for (let length = path.length; length >= 0; length--) {
      const line = this.#lines.get(key(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return 1;
  }

  markSubstituted(path: KeyPath): void {
    this.#substituted.add(key(path));
  }

  /** Whether the value holds anything from the environment. */
  isSubstituted(path: KeyPath): boolean {
    return this.#substituted.has(key(path));
  }

  markUnresolved(path: KeyPath): void {
    this.#unresolved.add(key(path));
  }

  /** Whether the value is missing for a reason that is already reported. */
  isUnresolved(path: KeyPath): boolean {
    return this.#unresolved.has(key(path));
  }
}

function key(path: KeyPath): string {
  return JSON.stringify(path);
}
