import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientGateway } from './client-gateway.ts';
import { installClients } from './install-clients.ts';
import { type ClientRow, nodeFor, runClient } from './run-client.ts';

const rows = ['openai-4', 'openai-5', 'openai-6', 'openai-7'].map(
  (alias): ClientRow => ({ alias, script: 'openai-embeddings.mjs', credential: 'apiKey' }),
);

describe('clients that embed', async () => {
  const clients = await installClients();
  if (clients === undefined) {
    it.skip('are not to be had on this machine');
    return;
  }
  let gateway: ClientGateway;

  beforeAll(async () => {
    gateway = await ClientGateway.start();
  });

  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
  });

  describe.each(rows)('$alias', async (row) => {
    const node = await nodeFor(clients, row.alias);
    if (node === undefined) {
      it.skip('needs a newer Node than is to be had on this machine');
      return;
    }

    it('gets vectors in either encoding', async () => {
      const report = await runClient({ node, clients, row, url: gateway.url });
      expect(report).toMatchObject({
        several: { dimensions: [512, 512], areUnits: true, tokens: 10 },
        numbers: { dimensions: [512], areUnits: true, tokens: 5 },
        unknown: { error: 'NotFoundError' },
      });
    });
  });
});
