import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makePng } from '../../testing/fake-upstream/make-png.mjs';
import { ClientGateway, imageModel } from './client-gateway.ts';
import { installClients } from './install-clients.ts';
import { nodeFor, runClient } from './run-client.ts';

const painted = {
  isPng: true,
  size: [1024, 1024],
  isNew: true,
  prompt: 'a fox in the snow',
  steps: 4,
  seed: 'number',
  hasRequestId: true,
};

describe('clients', async () => {
  const clients = await installClients();
  if (clients === undefined) {
    it.skip('are not to be had on this machine');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'stackgate-images-'));
  const picture = join(folder, 'fox.png');
  let gateway: ClientGateway;

  beforeAll(async () => {
    writeFileSync(picture, makePng({ width: 300, height: 200, seed: 3 }));
    gateway = await ClientGateway.start();
  });

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  describe.each(['openai-4', 'openai-6', 'openai-7'])('%s', async (alias) => {
    const node = await nodeFor(clients, alias);
    if (node === undefined) {
      it.skip('needs a newer Node than is to be had on this machine');
      return;
    }
    let report: unknown;

    beforeAll(async () => {
      const row = { alias, script: 'openai-images.mjs', credential: 'apiKey' } as const;
      report = await runClient({
        node,
        clients,
        row,
        url: gateway.url,
        more: { picture, model: imageModel },
      });
    });

    it('generates', () => {
      expect(report).toHaveProperty('generated', painted);
      expect(report).toHaveProperty('chosen', { ...painted, size: [1536, 1024], steps: 2 });
    });

    it.each(['fromStream', 'fromFile', 'fromBytes', 'fromSeveral'])('edits: %s', (name) => {
      expect(report).toHaveProperty(name, { ...painted, size: [1024, 1536] });
    });

    it.each([
      ['tooMany', 400, 'too_many_reference_images'],
      ['wrongSize', 400, 'invalid_size'],
      ['masked', 400, 'mask_not_supported'],
      ['wrongModel', 404, 'model_not_found'],
    ])('raises what is refused, with its code: %s', (name, status, code) => {
      expect(report).toHaveProperty(name, expect.objectContaining({ status, code }));
    });
  });
});
