import { expect, it } from 'vitest';
import { type ClientWorld, describeClients } from './describe-clients.ts';
import type { ClientRow } from './run-client.ts';

const rows = ['openai-4', 'openai-5', 'openai-6', 'openai-7'].map(
  (alias): ClientRow => ({ alias, script: 'openai-embeddings.mjs', credential: 'apiKey' }),
);

/** OpenAI’s clients, on embeddings. */
export function describeEmbeddings(world: ClientWorld): Promise<void> {
  return describeClients(world, { title: 'clients that embed', rows }, (report) => {
    it('gets vectors in either encoding', async () => {
      expect(report()).toMatchObject({
        several: { dimensions: [512, 512], areUnits: true, tokens: 10 },
        numbers: { dimensions: [512], areUnits: true, tokens: 5 },
        unknown: { error: 'NotFoundError' },
      });
    });
  });
}
