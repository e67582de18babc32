import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientGateway } from './client-gateway.ts';
import { installClients } from './install-clients.ts';
import { type ClientRow, nodeFor, runClient } from './run-client.ts';

const requestId = expect.stringMatching(/^req_/);

const openaiRows = ['openai-4', 'openai-5', 'openai-6', 'openai-7'].map(
  (alias): ClientRow => ({ alias, script: 'openai-models.mjs', credential: 'apiKey' }),
);
const anthropicRows = ['anthropic-0.27', 'anthropic-0.137', 'anthropic-1'].flatMap((alias) =>
  (['apiKey', 'authToken'] as const).map(
    (credential): ClientRow => ({ alias, script: 'anthropic-models.mjs', credential }),
  ),
);

describe('clients', async () => {
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

  describe.each([...openaiRows, ...anthropicRows])('$alias by $credential', async (row) => {
    const node = await nodeFor(clients, row.alias);
    if (node === undefined) {
      it.skip('needs a newer Node than is to be had on this machine');
      return;
    }
    let report: unknown;

    beforeAll(async () => {
      report = await runClient({ node, clients, row, url: gateway.url });
    });

    it('lists all models', () => {
      expect(report).toHaveProperty('list', { ids: ['org/model-x', 'other'] });
    });

    it('retrieves a model and knows the id of the request', () => {
      expect(report).toHaveProperty('plain', expect.objectContaining({ id: 'other', requestId }));
    });

    it('retrieves a model with a slash in its name', () => {
      expect(report).toHaveProperty('slashed', expect.objectContaining({ id: 'org/model-x', requestId }));
    });

    it('says what is wrong with an unknown model', () => {
      const message = expect.stringContaining('not the model asked for');
      expect(report).toHaveProperty(
        'unknown',
        expect.objectContaining({ error: 'NotFoundError', message, requestId }),
      );
    });

    it('takes a wrong key for one', () => {
      const message = expect.stringMatching(/key/i);
      expect(report).toHaveProperty(
        'wrongKey',
        expect.objectContaining({ error: 'AuthenticationError', message, requestId }),
      );
    });
  });
});
