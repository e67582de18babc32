import type { KeyScope } from '../../config/key-scopes.ts';
import { chatFamily, modelsFamily } from '../../families/chat-family.ts';
import { documentsFamily } from '../../families/documents-family.ts';
import { imagesFamily } from '../../families/images-family.ts';
import { mcpFamily } from '../../families/mcp-family.ts';
import { chatWire } from '../../text/wire/chat/chat-wire.ts';
import { messagesWire } from '../../text/wire/messages/messages-wire.ts';
import type { KeyRoute } from '../route.ts';

/** The dialect of each scope, and its place in the API description. */
const PARTS: Readonly<Record<KeyScope, Pick<KeyRoute, 'family' | 'group'>>> = {
  chat: { family: chatWire.family, group: 'Text' },
  messages: { family: messagesWire.family, group: 'Text' },
  responses: { family: chatFamily, group: 'Text' },
  embeddings: { family: chatFamily, group: 'Text' },
  models: { family: modelsFamily, group: 'Text' },
  images: { family: imagesFamily, group: 'Images' },
  extract: { family: documentsFamily, group: 'Documents' },
  pdf: { family: documentsFamily, group: 'Documents' },
  schemas: { family: chatFamily, group: 'Documents' },
  knowledge: { family: chatFamily, group: 'Knowledge' },
  files: { family: chatFamily, group: 'Files' },
  usage: { family: chatFamily, group: 'Operations' },
  mcp: { family: mcpFamily, group: 'Tools' },
};

/** The members that the routes of a scope share. */
export function ofScope(scope: KeyScope) {
  return { access: 'key', scope, body: { kind: 'none' }, ...PARTS[scope] } as const;
}
