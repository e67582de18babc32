import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { makeDataFolder } from '../../../../testing/data-folder.ts';
import {
  busyRendererId,
  homesOfThisProcess,
  rendererIds,
  zygoteIds,
} from '../../../../testing/pdf/browser-processes.ts';
import { report } from '../../../../testing/pdf/golden-documents.mjs';
import { slowToLayOut, slowToPrint } from '../../../../testing/pdf/hard-documents.ts';
import { sharedDataDir, TestEngine } from '../../../../testing/pdf/test-engine.ts';
import { isRunning } from './process-tree.ts';

// Long enough for a neighbour on a busy machine.
const SHORT_MS = 5_000;

afterAll(async () => {
  expect(await homesOfThisProcess()).toEqual([]);
});

function killAll(ids: readonly number[]): void {
  for (const id of ids) {
    try {
      process.kill(id, 'SIGKILL');
    } catch (error) {
      // Killing one may have taken the next along.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

describe('a page', () => {
  it('that crashes is one failed document, and its neighbours and successors are printed', async () => {
    const chromium = TestEngine.forTest();
    await chromium.print('<p>warm');
    const browser = chromium.browserId;
    const doomed = chromium.print(slowToPrint);
    doomed.catch(() => {});
    await expect.poll(() => busyRendererId(browser)).toBeDefined();
    const neighbouring = chromium.print(report(12));
    process.kill((await busyRendererId(browser)) ?? Number.NaN, 'SIGKILL');
    const [crashed, neighbour] = await Promise.allSettled([doomed, neighbouring]);
    expect(crashed).toMatchObject({ status: 'rejected', reason: { code: 'html-unrenderable', status: 400 } });
    expect(neighbour).toMatchObject({ status: 'fulfilled', value: { pages: 12 } });
    expect((await chromium.print('<p>after')).pages).toBe(1);
    expect(chromium.browserId).toBe(browser);
  });

  it('that cannot be made any more costs the browser, not the document', async () => {
    const chromium = TestEngine.forTest();
    await chromium.print('<p>warm');
    const broken = chromium.browserId;
    const makers = await zygoteIds(broken);
    expect(makers).not.toEqual([]);
    killAll([...makers, ...(await rendererIds(broken))]);
    expect((await chromium.print('<p>next')).pages).toBe(1);
    await expect.poll(() => isRunning(broken)).toBe(false);
    expect((await chromium.print('<p>after')).pages).toBe(1);
  });

  it.each([
    ['layout', slowToLayOut()],
    ['print', slowToPrint],
  ])('that hangs in %s is ended in time, and neither it nor its process is left', async (_step, html) => {
    const chromium = TestEngine.forTest({ timeoutMs: SHORT_MS });
    await chromium.print('<p>warm');
    const [hung, neighbour] = await Promise.allSettled([
      chromium.print(html),
      chromium.print('<p>neighbour'),
    ]);
    expect(hung).toMatchObject({ status: 'rejected', reason: { code: 'html-unrenderable' } });
    expect(neighbour).toMatchObject({ status: 'fulfilled' });
    expect(chromium.observer.told).toContain('document timeout');
    // The browser keeps a spare process for the next page.
    await expect.poll(async () => (await rendererIds(chromium.browserId)).length).toBeLessThanOrEqual(2);
    expect((await chromium.print('<p>after')).pages).toBe(1);
  });

  it('that eats memory is ended, and its neighbour is printed', async () => {
    const chromium = TestEngine.forTest({ memoryBytes: 450_000_000 });
    await chromium.print('<p>warm');
    const [bomb, neighbour] = await Promise.allSettled([
      chromium.print(slowToLayOut()),
      chromium.print(report(12)),
    ]);
    expect(bomb).toMatchObject({ status: 'rejected', reason: { code: 'html-unrenderable' } });
    expect(neighbour).toMatchObject({ status: 'fulfilled', value: { pages: 12 } });
    expect(chromium.observer.told).toContain('page killed');
    expect(chromium.log).toContain('pdf page ended for its memory');
  });

  it('whose client leaves is gone at once', async () => {
    const chromium = TestEngine.forTest();
    await chromium.print('<p>warm');
    const before = await rendererIds(chromium.browserId);
    const leaving = new AbortController();
    const work = chromium.print(slowToPrint, { signal: leaving.signal });
    work.catch(() => {});
    const isNew = (id: number) => !before.includes(id);
    await expect.poll(async () => (await rendererIds(chromium.browserId)).some(isNew)).toBe(true);
    const gone = new Error('left');
    leaving.abort(gone);
    await expect(work).rejects.toBe(gone);
    expect(chromium.observer.told.at(-1)).toBe('document left');
    await expect.poll(async () => (await rendererIds(chromium.browserId)).length).toBeLessThanOrEqual(2);
    expect((await chromium.print('<p>after')).pages).toBe(1);
  });
});

describe('a browser', () => {
  it('that is killed loses only the hanging document', async () => {
    const chromium = TestEngine.forTest({ timeoutMs: SHORT_MS });
    await chromium.print('<p>warm');
    const browser = chromium.browserId;
    const works = [chromium.print(slowToPrint), chromium.print(report(12)), chromium.print(report(12))];
    const settled = Promise.allSettled(works);
    process.kill(browser, 'SIGKILL');
    const [hung, ...others] = await settled;
    expect(hung).toMatchObject({ status: 'rejected', reason: { code: 'html-unrenderable' } });
    for (const other of others) expect(other).toMatchObject({ status: 'fulfilled', value: { pages: 12 } });
    expect(chromium.observer.told).toContain('browser crashed');
    expect(chromium.log).toContain('pdf browser lost');
    expect((await chromium.print('<p>after')).pages).toBe(1);
    expect(chromium.browserId).not.toBe(browser);
    expect(chromium.engine.processIds).toHaveLength(1);
  });

  it('that hangs is ended, with all its processes, and replaced', async () => {
    const chromium = TestEngine.forTest({ timeoutMs: SHORT_MS });
    await chromium.print('<p>warm');
    const browser = chromium.browserId;
    process.kill(browser, 'SIGSTOP');
    await expect(chromium.print('<p>x')).rejects.toMatchObject({ code: 'html-unrenderable' });
    await expect.poll(() => chromium.observer.told).toContain('browser stuck');
    expect(isRunning(browser)).toBe(false);
    expect((await chromium.print('<p>after')).pages).toBe(1);
  });

  it('is replaced after some documents, while none of them waits or fails', async () => {
    const chromium = TestEngine.forTest({ recycleAfter: 3 });
    const seen = new Set<number>();
    for (let round = 0; round < 4; round++) {
      const printed = await Promise.all([1, 2, 3].map(() => chromium.print('<p>x')));
      expect(printed.map(({ pages }) => pages)).toEqual([1, 1, 1]);
      for (const id of chromium.engine.processIds) seen.add(id);
      await expect
        .poll(() => chromium.observer.told.filter((line) => line === 'browser recycled').length)
        .toBeGreaterThan(round);
    }
    expect(seen.size).toBeGreaterThan(1);
    expect(chromium.engine.processIds).toHaveLength(1);
  });

  it('is closed with a document in flight, and nothing is left', async () => {
    const chromium = new TestEngine();
    await chromium.print('<p>warm');
    const work = chromium.print(slowToPrint);
    work.catch(() => {});
    await chromium.close();
    await expect(work).rejects.toMatchObject({ status: expect.any(Number) });
    expect(chromium.engine.processIds).toEqual([]);
  });
});

describe('without a browser', () => {
  it('documents are answered 503 until there is one', async () => {
    const folder = makeDataFolder();
    chmodSync(folder, 0o755);
    const executable = join(folder, 'browser');
    const chromium = TestEngine.forTest({ executable });
    const missing = chromium.print('<p>x');
    await expect(missing).rejects.toMatchObject({ code: 'model-not-ready', status: 503 });
    await expect(missing).rejects.not.toThrow(folder);
    expect(chromium.engine.lifecycle.state).toBe('degraded');
    expect(chromium.log).toContain('engines.pdf.executable');
    // Refused at once until the retry time.
    await expect(chromium.print('<p>x')).rejects.toMatchObject({ status: 503 });

    const shared = TestEngine.forTest();
    await shared.print('<p>unpacks it');
    const packaged = await packagedBrowser();
    writeFileSync(
      executable,
      `#!/bin/sh\nexport LD_LIBRARY_PATH='${join(packaged, 'lib')}'\nexec '${join(packaged, 'chromium')}' "$@"\n`,
      { mode: 0o755 },
    );
    await expect.poll(() => chromium.pagesOf('<p>x')).toBe(1);
    expect(chromium.engine.lifecycle.state).toBe('ready');
  });

  it.each([
    ['ends at once', '#!/bin/sh\necho broken >&2; exit 3\n'],
    ['speaks gibberish', '#!/bin/sh\nprintf "gibberish\\0{}\\0[1]\\0" >&4; exit 0\n'],
  ])('that works, documents are answered 503: one %s', async (_name, script) => {
    const folder = makeDataFolder();
    chmodSync(folder, 0o755);
    const executable = join(folder, 'browser');
    writeFileSync(executable, script, { mode: 0o755 });
    const chromium = TestEngine.forTest({ executable });
    await expect(chromium.print('<p>x')).rejects.toMatchObject({ code: 'model-not-ready' });
    expect(chromium.engine.processIds).toEqual([]);
  });

  it('and without a place for one, documents are answered 503, and nothing is left', async () => {
    const folder = makeDataFolder();
    // A file in place of the folder: the simplest unusable disk.
    mkdirSync(join(folder, 'pdf'), { mode: 0o700 });
    symlinkSync('/dev/null', join(folder, 'pdf', 'browser-147.0.0'));
    const chromium = TestEngine.forTest({ dataDir: folder });
    await expect(chromium.print('<p>x')).rejects.toMatchObject({ code: 'model-not-ready' });
    expect(await readdir(join(folder, 'pdf'))).toEqual(['browser-147.0.0']);
  });
});

async function packagedBrowser(): Promise<string> {
  const names = await readdir(join(sharedDataDir, 'pdf'));
  const name = names.find((one) => /^browser-[\d.]+$/.test(one));
  if (name === undefined) throw new Error('no browser was unpacked');
  return join(sharedDataDir, 'pdf', name);
}
