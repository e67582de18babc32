import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import * as api from './index.ts';

const example = fileURLToPath(new URL('../examples/single-instance.mjs', import.meta.url));

it('exports only its documented API', () => {
  expect(Object.keys(api)).toEqual(['takeProcessLock']);
});

it('runs the example: one instance at a time, and another after kill -9', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'single-instance-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const start = () => {
    const child = spawn(process.execPath, [example, join(folder, 'app.lock')]);
    onTestFinished(() => void child.kill('SIGKILL'));
    return child;
  };
  const first = start();
  await once(first.stdout, 'data');
  const second = start();
  const [message] = await once(second.stderr, 'data');
  expect(String(message)).toBe(`process ${first.pid} is already running\n`);
  first.kill('SIGKILL');
  await once(first, 'exit');
  const third = start();
  await once(third.stdout, 'data');
  third.stdin.end();
  expect(await once(third, 'exit')).toEqual([0, null]);
});
