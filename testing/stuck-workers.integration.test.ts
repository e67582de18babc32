import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
mkdirSync(join(root, '.cache'), { recursive: true });
const folder = mkdtempSync(join(root, '.cache', 'stuck-'));

afterEach(() => rmSync(folder, { recursive: true }));

const BLOCKED = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)';

it.runIf(process.platform === 'linux')(
  'ends a run whose worker is blocked for ever, and names its file',
  async () => {
    writeFileSync(
      join(folder, 'blocked.test.ts'),
      `import { it } from 'vitest';\nit('blocks', () => void ${BLOCKED});\n`,
    );
    writeFileSync(join(folder, 'good.test.ts'), "import { it } from 'vitest';\nit('ends', () => {});\n");
    writeFileSync(
      join(folder, 'vitest.config.ts'),
      `import { StuckWorkers } from ${JSON.stringify(join(root, 'testing/stuck-workers.ts'))};
     export default { test: { reporters: ['default', new StuckWorkers({ stuckMs: 2_000 })] } };`,
    );
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const run = spawn(process.execPath, [vitest, 'run', '--root', folder], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [said, errors, [code]] = await Promise.all([text(run.stdout), text(run.stderr), once(run, 'exit')]);
    expect(errors).toMatch(/Still running: blocked\.test\.ts\nworker \d+\n {2}\S+ S \w+/);
    expect(said).toContain('good.test.ts');
    expect(code).toBe(1);
  },
);
