import { beforeAll, describe, expect, it } from 'vitest';
import { makePng } from '../../testing/fake-upstream/make-png.mjs';
import { type ClientGateway, imageModel } from '../clients/client-gateway.ts';
import { runPythonClient } from './python-clients.ts';

const painted = { isPng: true, prompt: 'a fox in the snow', seed: '18446744073709551615' };

/** The pictures of OpenAI's client. */
export function describeImages(python: string, gateway: () => ClientGateway): void {
  describe('openai_images.py', () => {
    let report: unknown;

    beforeAll(async () => {
      const picture = gateway().file('fox.png', makePng({ width: 300, height: 200, seed: 3 }));
      const task = { url: gateway().url, model: imageModel, picture };
      report = await runPythonClient({ python, script: 'openai_images.py', task });
    });

    it('generates, with a seed of 64 bits', () => {
      expect(report).toHaveProperty('generated', { ...painted, size: [1024, 1024], steps: 2 });
    });

    it.each(['fromFile', 'fromBytes', 'fromStream', 'fromSeveral'])('edits: %s', (name) => {
      expect(report).toHaveProperty(name, { ...painted, size: [1024, 1536], steps: 4 });
    });

    it('raises what is refused', () => {
      const refused = { error: 'BadRequestError', status: 400 };
      expect(report).toHaveProperty('wrongSize', expect.objectContaining(refused));
    });
  });
}
