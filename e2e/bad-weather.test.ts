import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { realPostgresAvailable } from '../testing/real-postgres/postgres-binaries.ts';

const run = (script: string, args: readonly string[]) =>
  promisify(execFile)(process.execPath, [
    fileURLToPath(new URL(`../bench/${script}`, import.meta.url)),
    ...args,
  ]).catch(
    // The output says what is wrong.
    (error: { stdout: string; stderr: string }) => ({ stdout: error.stdout, stderr: error.stderr }),
  );

// Each waits for most of its time: for faults to pass, for a page that hangs, for leases to end.
describe.concurrent('in bad weather', () => {
  it('mixed traffic, rude clients, killed engines and failing servers leaves nothing behind', async () => {
    const { stdout, stderr } = await run('soak/run.mjs', ['--seconds', '8', '--without-ocr']);
    expect(stdout + stderr).toContain('Nothing leaked.');
  });

  it.runIf(realPostgresAvailable)(
    'three replicas keep every promise while they and all around them fail',
    async () => {
      // The 30 seconds of the promise are for a machine that does nothing else.
      const { stdout, stderr } = await run('drill/run.mjs', [
        '--seconds',
        '30',
        '--once',
        '--healthy-seconds',
        '100',
      ]);
      expect(stdout + stderr).toContain('Every promise was kept.');
    },
  );

  it('spoiled PDFs, pictures, HTML and schemas are refused, and affect no other request', async () => {
    const { stdout, stderr } = await run('fuzz/run.mjs', ['--each', '20', '--without-ocr']);
    expect(stdout + stderr).toContain('No problems.');
  });
});
