import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyMigratedTemplate } from '../testing/migrated-template.ts';

/** An operator's folder with the configuration file and the data folder. Disposing removes it. */
export class WorkFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'stackgate-e2e-'));

  /** An empty folder, as before the first start. */
  static empty(): WorkFolder {
    return new WorkFolder();
  }

  /** A folder with a new database, which saves the ten seconds of creating one. */
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
