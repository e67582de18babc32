import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { childProcesses } from '../../testing/child-processes.ts';
import { runCli } from '../../testing/cli-run.ts';

describe('stackgate images paint', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'stackgate-test-'));
    file = join(folder, 'apple.png');
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const paint = (...argv: readonly string[]) => runCli(['images', 'paint', ...argv, '-o', file]);

  it('writes a picture of what was asked, and leaves no process behind', async () => {
    const before = childProcesses('painter-child');
    const { code, out, err } = await paint('a red apple', '--size', '1536x1024', '--seed', '7');
    expect({ code, out, err }).toEqual({ code: 0, out: `${file}: 1536x1024, seed 7\n`, err: '' });
    const { format, width, height } = await sharp(file).metadata();
    expect({ format, width, height }).toEqual({ format: 'png', width: 1536, height: 1024 });
    const [red = 0, green = 0, blue = 0] = await centreOf(file);
    expect(red).toBeGreaterThan(Math.max(green, blue) + 60);
    expect(childProcesses('painter-child')).toEqual(before);
  });

  it('shows each step to a person who watches, and takes the line away', async () => {
    const argv = ['images', 'paint', 'an apple', '--steps', '2', '--seed', '1', '-o', file];
    const { err } = await runCli(argv, { isWatched: true });
    const shown = err.split('\r\u001b[K');
    expect(shown).toEqual(['', 'painting: step 1 of 2', 'painting: step 2 of 2', 'enlarging', '']);
  });

  it('tells the seed that it drew and the words that it did not know', async () => {
    const { code, out } = await paint('a qwxzv apple', '--steps', '1', '--json');
    expect(code).toBe(0);
    const told = JSON.parse(out);
    expect(told).toMatchObject({ file, width: 1024, height: 1024, steps: 1, unknownWords: ['qwxzv'] });
    expect(told.seed).toMatch(/^\d{1,20}$/);
    expect(told.paintMs).toBeGreaterThan(0);
    expect((await paint('a qwxzv apple', '--steps', '1')).out).toContain('words it does not know: qwxzv');
  });

  it.each([
    [['--steps', '9'], 'It must be from 1 to 8.'],
    [['--steps', '1.5'], 'It must be from 1 to 8.'],
    [['--guidance-scale', '20.5'], 'It must be from 0 to 20.'],
    [['--seed', '18446744073709551616'], 'It must be an integer from 0 to 18446744073709551615.'],
    [['--seed', '-1'], 'It must be an integer from 0 to 18446744073709551615.'],
    [['--size', '640x480'], 'Allowed choices are'],
  ])('refuses %j before it paints', async (options, reason) => {
    const { code, err } = await paint('a red apple', ...options);
    expect([code, err]).toEqual([2, expect.stringContaining(reason)]);
    expect(existsSync(file)).toBe(false);
  });

  it('says so when the file cannot be written', async () => {
    const { code, err } = await runCli([
      'images',
      'paint',
      'an apple',
      '--steps',
      '1',
      '-o',
      join(folder, 'none', 'a.png'),
    ]);
    expect(code).not.toBe(0);
    expect(err).toContain('ENOENT');
  });
});

async function centreOf(file: string): Promise<readonly number[]> {
  return [...(await sharp(file).resize(3, 3, { fit: 'fill', kernel: 'linear' }).raw().toBuffer())].slice(
    12,
    15,
  );
}
