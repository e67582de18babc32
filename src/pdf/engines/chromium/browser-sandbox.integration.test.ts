import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDataFolder } from '../../../../testing/data-folder.ts';
import { TestEngine } from '../../../../testing/pdf/test-engine.ts';
import { systemClock } from '../../../lib/clock.ts';
import { createLog } from '../../../telemetry/log.ts';
import { BrowserLauncher } from './browser-launcher.ts';

const inTime = () => AbortSignal.timeout(20_000);

/** A fake browser that starts with a sandbox only while one is allowed. */
function fakeBrowser() {
  const folder = makeDataFolder();
  // Accessible to the unprivileged user that runs it.
  chmodSync(folder, 0o755);
  const executable = join(folder, 'browser');
  const allowed = join(folder, 'sandbox-is-allowed');
  const script = `#!/bin/sh
case " $* " in *" --no-sandbox "*) ;; *) [ -e '${allowed}' ] || { echo 'No usable sandbox!' >&2; exit 1; } ;; esac
head -c 1 <&3 >/dev/null
printf '{"id":1,"result":{}}\\0' >&4
exec cat <&3 >/dev/null
`;
  writeFileSync(executable, script, { mode: 0o755 });
  return {
    executable,
    dataDir: folder,
    allow: () => writeFileSync(allowed, '', { mode: 0o644 }),
    forbid: () => rmSync(allowed, { force: true }),
  };
}

describe('a browser that cannot be sandboxed', () => {
  it('is not used where the sandbox is required, and the log says why', async () => {
    const { executable, dataDir, allow } = fakeBrowser();
    const chromium = TestEngine.forTest({ executable, dataDir, sandbox: 'required' });
    await expect(chromium.print('<p>x')).rejects.toMatchObject({ code: 'model-not-ready', status: 503 });
    expect(chromium.engine.lifecycle.state).toBe('degraded');
    expect(chromium.engine.rung).toBeUndefined();
    expect(chromium.observer.told).toEqual(['document unavailable']);
    expect(chromium.log).toMatch(/engines\.pdf\.sandbox is \\"required\\".*No usable sandbox!/);
    allow();
    const allowed = TestEngine.forTest({ executable, dataDir, sandbox: 'required' });
    await allowed.engine.lifecycle.ready(inTime());
    expect(allowed.engine.rung).toMatchObject({ isSandboxed: true });
  });

  it('is used if the sandbox is only preferred, and reported', async () => {
    const { executable, dataDir } = fakeBrowser();
    const chromium = TestEngine.forTest({ executable, dataDir });
    await chromium.engine.lifecycle.ready(inTime());
    const { rung } = chromium.engine;
    expect(rung).toMatchObject({ name: expect.stringMatching(/^no sandbox/), isSandboxed: false });
    expect(chromium.observer.told).toEqual([`browser started: ${rung?.name}`]);
    expect(chromium.log).toContain('"message":"the pdf browser runs without its sandbox"');
  });
});

it('uses the sandbox once it is allowed, and then always', async () => {
  const { executable, dataDir, allow, forbid } = fakeBrowser();
  const launcher = new BrowserLauncher({
    executable,
    dataDir,
    installed: [],
    sandbox: 'preferred',
    log: createLog('silent', { write: () => {} }),
    clock: systemClock,
  });
  const launch = async () => {
    const { process: browser, rung } = await launcher.launch('heavy', inTime());
    await browser.kill();
    return rung.isSandboxed;
  };
  try {
    expect(await launch()).toBe(false);
    allow();
    expect(await launch()).toBe(true);
    forbid();
    await expect(launch()).rejects.toThrow('the protection that it had before');
  } finally {
    await launcher.close();
  }
});
