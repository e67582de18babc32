import type { StorageRoom } from '../../src/access/storage-room.ts';
import type { ResponseSources } from '../../src/http/routes/all-routes.ts';
import { HostedTools } from '../../src/text/hosted-tools.ts';
import { ResponsesService } from '../../src/text/responses/responses-service.ts';
import type { TextService } from '../../src/text/text-service.ts';
import { storageRoom } from '../storage-room.ts';
import { MemoryResponses } from './memory-responses.ts';

export type StoredResponseParts = Pick<ResponseSources, 'store' | 'conversations'>;

/** What the routes of responses need; by default everything is in memory. */
export function responseSources(
  text: TextService,
  {
    stored,
    storage = storageRoom(),
    hosted = new HostedTools(text, []),
  }: { stored?: StoredResponseParts | undefined; storage?: StorageRoom; hosted?: HostedTools } = {},
): ResponseSources {
  const memory = new MemoryResponses();
  const { store, conversations } = stored ?? { store: memory, conversations: memory.conversations };
  const service = new ResponsesService({ text, hosted, store, conversations, storage });
  return { service, store, conversations };
}
