import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePng } from '../../testing/fake-upstream/make-png.mjs';
import { ClientGateway, clientKey, imageModel } from '../clients/client-gateway.ts';
import { installPythonClients } from './install-python-clients.ts';

const run = promisify(execFile);
const clientBoundMs = 60_000;
const painted = { isPng: true, prompt: 'a fox in the snow', seed: '18446744073709551615' };

describe('the Python client of OpenAI', async () => {
  const python = await installPythonClients();
  if (python === undefined) {
    it.skip('is not to be had on this machine');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'stackgate-images-'));
  const picture = join(folder, 'fox.png');
  let gateway: ClientGateway;
  let report: unknown;

  beforeAll(async () => {
    writeFileSync(picture, makePng({ width: 300, height: 200, seed: 3 }));
    gateway = await ClientGateway.start();
    const script = fileURLToPath(new URL('openai_images.py', import.meta.url));
    const task = { url: gateway.url, key: clientKey, model: imageModel, picture };
    const options = { env: { PYTHONDONTWRITEBYTECODE: '1' }, timeout: clientBoundMs };
    const { stdout } = await run(python, [script, JSON.stringify(task)], options);
    report = JSON.parse(stdout);
  });

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  it('generates, with a seed of 64 bits', () => {
    expect(report).toHaveProperty('generated', { ...painted, size: [1024, 1024], steps: 2 });
  });

  it.each(['fromFile', 'fromBytes', 'fromStream', 'fromSeveral'])('edits: %s', (name) => {
    expect(report).toHaveProperty(name, { ...painted, size: [1024, 1536], steps: 4 });
  });

  it('raises what is refused', () => {
    expect(report).toHaveProperty(
      'wrongSize',
      expect.objectContaining({ error: 'BadRequestError', status: 400 }),
    );
  });
});
