import { expect, it } from 'vitest';
import { type ClientWorld, describeClients } from './describe-clients.ts';
import type { ClientRow } from './run-client.ts';

const rows = ['openai-4', 'openai-5', 'openai-6', 'openai-7'].map(
  (alias): ClientRow => ({ alias, script: 'openai-files.mjs', credential: 'apiKey' }),
);
const made = (filename: string) => ({ object: 'file', filename, bytes: 16, purpose: 'user_data' });

/** OpenAI’s clients, on stored files. */
export function describeFiles(world: ClientWorld): Promise<void> {
  return describeClients(world, { title: 'clients that keep files', rows, inTurns: true }, (report) => {
    it('uploads, lists page by page, reads, chats about and deletes them', async () => {
      expect(report()).toMatchObject({
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
}
