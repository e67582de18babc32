import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type NodeLine, newerNode } from './newer-node.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const commandBoundMs = 60_000;

const lines: readonly { readonly line: NodeLine; readonly major: number }[] = [
  { line: 'lts', major: 24 },
  { line: 'current', major: 26 },
];

describe.each(lines)('Node $major ($line)', async ({ line, major }) => {
  const node = await newerNode(line);
  if (node === undefined) {
    it.skip('is not to be had on this machine');
    return;
  }

  it('is the release the lock file pins', async () => {
    const { stdout } = await run(node, ['--version'], { timeout: commandBoundMs });
    expect(stdout).toMatch(new RegExp(`^v${major}\\.`));
  });

  it.runIf(existsSync(program))('runs the compiled program', async () => {
    const { stdout } = await run(node, [program, '--help'], { timeout: commandBoundMs });
    expect(stdout).toContain('stackgate');
  });
});
