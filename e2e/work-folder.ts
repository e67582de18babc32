import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyMigratedTemplate } from '../testing/migrated-template.ts';

/** A folder that an operator works in: the configuration file and the data folder lie there. Disposing removes it. */
export class WorkFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'stackgate-e2e-'));

  /** A folder with nothing in it, as before the very first start. */
  static empty(): WorkFolder {
    return new WorkFolder();
  }

  /** A folder with a fresh database and its tables in it, which saves the ten seconds of creating them. */
  static async withDatabase(): Promise<WorkFolder> {
    const folder = new WorkFolder();
    await copyMigratedTemplate(folder.dataDir);
    return folder;
  }

  get dataDir(): string {
    return join(this.path, 'data');
  }

  get defaultKeyPath(): string {
    return join(this.dataDir, 'default-key');
  }

  /** Writes `stackgate.yaml`, which a start in this folder finds by itself. */
  configure(text: string): void {
    writeFileSync(join(this.path, 'stackgate.yaml'), text);
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 10 });
  }
}
