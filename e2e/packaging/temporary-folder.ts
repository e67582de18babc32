import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder for one test file; disposing removes it. */
export class TemporaryFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'stackgate-packaging-'));

  /** A path below it. */
  at(...names: readonly string[]): string {
    return join(this.path, ...names);
  }

  /** Makes servers started in a folder of it stop at once after SIGTERM. */
  endAtOnce(...names: readonly string[]): void {
    mkdirSync(this.at(...names), { recursive: true });
    writeFileSync(this.at(...names, 'stackgate.yaml'), 'server: { drain_delay_seconds: 0 }\n');
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 10 });
  }
}
