import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The unpacked npm packages in a folder, found by the start of their name. */
export class PackageFiles {
  #folder;

  constructor(folder) {
    this.#folder = folder;
  }

  pathOf(packageName, file) {
    const found = readdirSync(this.#folder).find(
      (entry) => entry.startsWith(packageName) && statSync(join(this.#folder, entry)).isDirectory(),
    );
    if (found === undefined) throw new Error(`${this.#folder} holds no unpacked package ${packageName}`);
    return join(this.#folder, found, 'package', file);
  }

  readJson(packageName, file) {
    return JSON.parse(readFileSync(this.pathOf(packageName, file), 'utf8'));
  }
}
