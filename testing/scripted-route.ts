import { z } from 'zod';
import { chatFamily } from '../src/families/chat-family.ts';
import { Fault } from '../src/faults/fault.ts';
import type { BodyRule } from '../src/http/body-rules.ts';
import type { KeyRoute } from '../src/http/route.ts';

interface ScriptedRoute {
  readonly path?: string;
  readonly body?: BodyRule;
  readonly handle: KeyRoute['handle'];
}

const json: BodyRule = { kind: 'json', cap: () => 32 * 1024 * 1024, tooLarge: 'body-too-large' };

/** A route scripted by a test. */
export function scriptedRoute({ path = '/v1/scripted', body = json, handle }: ScriptedRoute): KeyRoute {
  return {
    method: body.kind === 'none' ? 'GET' : 'POST',
    path,
    access: 'key',
    scope: 'chat',
    family: chatFamily,
    body,
    group: 'Text',
    summary: 'Scripted',
    detail: 'Scripted.',
    answer: { contentType: 'application/json', schema: z.looseObject({}), schemaName: 'Scripted' },
    handle,
  };
}

export const unreadyPath = '/v1/unready';

/** A JSON route that answers 503 to every accepted body. */
export const unreadyRoute = scriptedRoute({
  path: unreadyPath,
  handle: () => {
    throw new Fault('model-not-ready', 'Not ready.');
  },
});
