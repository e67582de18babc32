import type { KeyPath } from './config-problem.ts';

/** The unchecked values of the file, with their lines. */
export class ConfigTree {
  value: unknown;
  readonly #lines = new Map<string, number>();
  readonly #substituted = new Set<string>();
  readonly #unresolved = new Set<string>();

  setLine(path: KeyPath, line: number): void {
    this.#lines.set(key(path), line);
  }

  /** The line of a key, or of its nearest ancestor in the file. */
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

  /** Whether the value contains text from the environment. */
  isSubstituted(path: KeyPath): boolean {
    return this.#substituted.has(key(path));
  }

  markUnresolved(path: KeyPath): void {
    this.#unresolved.add(key(path));
  }

  /** Whether the value is missing for a reason already reported. */
  isUnresolved(path: KeyPath): boolean {
    return this.#unresolved.has(key(path));
  }
}

function key(path: KeyPath): string {
  return JSON.stringify(path);
}
