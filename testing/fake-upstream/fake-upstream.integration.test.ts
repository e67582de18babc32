import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

it('the fake upstream runs without TypeScript, as benchmarks need it', async () => {
  const entry = fileURLToPath(new URL('fake-upstream.mjs', import.meta.url));
  const script = `const { startFakeUpstream } = await import(${JSON.stringify(entry)});
    const upstream = await startFakeUpstream();
    process.stdout.write(String((await fetch(upstream.url + '/health')).status));
    await upstream.close();`;
  const result = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(result).toMatchObject({ stdout: '200', stderr: '', status: 0 });
});
