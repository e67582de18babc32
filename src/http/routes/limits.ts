import { jsonAnswer } from '../answer.ts';
import { type LimitsSources, limitList, limitListSchema } from '../limit-list.ts';
import { jsonReply, type KeyRoute } from '../route.ts';
import { ofScope } from './of-scope.ts';

/** `GET /v1/limits`: every ceiling of the key. */
export function showLimits(sources: LimitsSources): KeyRoute {
  return {
    ...ofScope('usage'),
    method: 'GET',
    path: '/v1/limits',
    group: 'Text',
    summary: 'Show limits',
    detail:
      'Every ceiling of the key and of its stack, with what is used of it and what remains. Spends no tokens; like any request it counts as one.',
    answer: jsonReply('LimitList', limitListSchema),
    handle: async ({ caller }) => jsonAnswer(await limitList(sources, caller)),
  };
}
