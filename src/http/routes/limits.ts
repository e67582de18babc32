import { chatFamily } from '../../families/chat-family.ts';
import { jsonAnswer } from '../answer.ts';
import { type LimitsSources, limitList, limitListSchema } from '../limit-list.ts';
import type { KeyRoute } from '../route.ts';
import { jsonReply } from '../route-description.ts';

/** `GET /v1/limits`: every ceiling of the key. */
export function showLimits(sources: LimitsSources): KeyRoute {
  return {
    method: 'GET',
    path: '/v1/limits',
    access: 'key',
    scope: 'usage',
    family: chatFamily,
    body: { kind: 'none' },
    group: 'Text',
    summary: 'Show limits',
    detail:
      'Every ceiling of the key and of its stack, with what is used of it and what remains. Spends no tokens; like any request it counts as one.',
    answer: jsonReply('LimitList', limitListSchema),
    handle: async ({ caller }) => jsonAnswer(await limitList(sources, caller)),
  };
}
