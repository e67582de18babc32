import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeDataFolder } from '../../../../testing/data-folder.ts';
import { TestEngine } from '../../../../testing/pdf/test-engine.ts';

/** Mounts a small file system; false without permission. */
function mountDisk(folder: string, size: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=1777`, 'none', folder]).status === 0;
}

const probe = makeProbe();

afterEach(() => {
  vi.unstubAllEnvs();
});

// As root the home is in the temporary folder, where a small file system can be mounted.
describe.skipIf(!probe)('a full disk', () => {
  it('for the home of the browser is 503, leaves nothing, and is over when there is room', async () => {
    const disk = makeDataFolder();
    chmodSync(disk, 0o755);
    vi.stubEnv('TMPDIR', disk);
    expect(mountDisk(disk, '1m')).toBe(true);
    const chromium = TestEngine.forTest();
    await expect(chromium.print('<p>x')).rejects.toMatchObject({ code: 'model-not-ready', status: 503 });
    expect(readdirSync(join(disk, 'stackgate-pdf'))).toEqual([]);
    spawnSync('umount', [disk]);
    await expect.poll(() => chromium.pagesOf('<p>x')).toBe(1);
    await chromium.close();
  });

  it('for its profile stops no gateway, and is over when there is room', async () => {
    const disk = makeDataFolder();
    chmodSync(disk, 0o755);
    vi.stubEnv('TMPDIR', disk);
    expect(mountDisk(disk, '700m')).toBe(true);
    const chromium = TestEngine.forTest();
    expect((await chromium.print('<p>before')).pages).toBe(1);
    const filler = join(disk, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(800 * 1024 * 1024))).toThrow('ENOSPC');
    const during = await chromium.print('<p>during').then(
      () => 'printed',
      (error: unknown) => (error instanceof Error ? error.name : 'something'),
    );
    expect(['printed', 'Fault']).toContain(during);
    rmSync(filler);
    await expect.poll(() => chromium.pagesOf('<p>after')).toBe(1);
    await chromium.close();
    expect(readdirSync(join(disk, 'stackgate-pdf'))).toEqual([]);
    spawnSync('umount', [disk]);
  });
});

function makeProbe(): boolean {
  if (process.getuid?.() !== 0) return false;
  const made = mkdtempSync(join(tmpdir(), 'stackgate-test-'));
  const mounted = mountDisk(made, '1m');
  if (mounted) spawnSync('umount', [made]);
  rmSync(made, { recursive: true, force: true });
  return mounted;
}
