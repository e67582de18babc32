import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ClientGateway } from './client-gateway.ts';
import { installClients } from './install-clients.ts';
import { type ClientRow, nodeFor, runClient } from './run-client.ts';

const rows = ['openai-4', 'openai-5', 'openai-6', 'openai-7'].map(
  (alias): ClientRow => ({ alias, script: 'openai-files.mjs', credential: 'apiKey' }),
);
const made = (filename: string) => ({ object: 'file', filename, bytes: 16, purpose: 'user_data' });

describe('clients that keep files', async () => {
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

    it('uploads, lists page by page, reads, chats about and deletes them', async () => {
      const report = await runClient({ node, clients, row, url: gateway.url });
      expect(report).toMatchObject({
        made: [made('a.txt'), made('b.txt'), made('c.txt')],
        isSame: true,
        isNewestFirst: true,
        content: 'content of a.txt',
        chat: 'string',
        removed: [true, true, true],
        gone: { error: 'NotFoundError', code: 'file_not_found' },
      });
    });
  });
});
