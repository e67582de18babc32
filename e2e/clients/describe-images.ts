import { expect, it } from 'vitest';
import { makePng } from '../../testing/fake-upstream/make-png.mjs';
import { type ClientGateway, imageModel } from './client-gateway.ts';
import { type ClientWorld, describeClients } from './describe-clients.ts';
import type { ClientRow } from './run-client.ts';

const painted = {
  isPng: true,
  size: [1024, 1024],
  isNew: true,
  prompt: 'a fox in the snow',
  steps: 4,
  seed: 'number',
  hasRequestId: true,
};

const rows = ['openai-4', 'openai-6', 'openai-7'].map(
  (alias): ClientRow => ({ alias, script: 'openai-images.mjs', credential: 'apiKey' }),
);

/** OpenAI’s clients, on images. */
export function describeImages(world: ClientWorld, gateway: () => ClientGateway): Promise<void> {
  return describeClients(
    world,
    {
      title: 'clients that paint',
      rows,
      more: () => ({
        picture: gateway().file('fox.png', makePng({ width: 300, height: 200, seed: 3 })),
        model: imageModel,
      }),
    },
    (report) => {
      it('generates', () => {
        expect(report()).toHaveProperty('generated', painted);
        expect(report()).toHaveProperty('chosen', { ...painted, size: [1536, 1024], steps: 2 });
      });

      it.each(['fromStream', 'fromFile', 'fromBytes', 'fromSeveral'])('edits: %s', (name) => {
        expect(report()).toHaveProperty(name, { ...painted, size: [1024, 1536] });
      });

      it.each([
        ['tooMany', 400, 'too_many_reference_images'],
        ['wrongSize', 400, 'invalid_size'],
        ['masked', 400, 'mask_not_supported'],
        ['wrongModel', 404, 'model_not_found'],
      ])('raises what is refused, with its code: %s', (name, status, code) => {
        expect(report()).toHaveProperty(name, expect.objectContaining({ status, code }));
      });
    },
  );
}
