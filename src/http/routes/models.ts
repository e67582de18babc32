import { z } from 'zod';
import type { Caller, CallerStack } from '../../access/caller.ts';
import { Fault } from '../../faults/fault.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { jsonReply, type KeyRoute } from '../route.ts';
import { ofScope } from './of-scope.ts';

// One object carries the members that SDKs of both vendors read.
const modelSchema = z.object({
  id: z.string().describe('A valid value of `model`.'),
  object: z.literal('model'),
  created: z.int().describe('Unix time in seconds.'),
  owned_by: z.string(),
  type: z.literal('model'),
  display_name: z.string(),
  created_at: z.iso.datetime(),
});

const modelListSchema = z.object({
  object: z.literal('list'),
  data: z.array(modelSchema),
  has_more: z.literal(false).describe('There is one page.'),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});

type Model = z.infer<typeof modelSchema>;
type ModelList = z.infer<typeof modelListSchema>;

/** `GET /v1/models` and `GET /v1/models/{id}`: the valid values of `model` for the key's stack, and one of them. */
export function modelRoutes(): readonly KeyRoute[] {
  // Callers are cached for seconds, so their lists are too.
  const answers = new WeakMap<Caller, Answer>();
  return [
    {
      ...common,
      path: '/v1/models',
      summary: 'List models',
      detail: 'The valid values of `model` for the stack of the key, the served one first.',
      answer: jsonReply('ModelList', modelListSchema),
      handle: ({ caller }) => {
        const answer = answers.get(caller) ?? jsonAnswer(modelList(caller));
        answers.set(caller, answer);
        return answer;
      },
    },
    {
      ...common,
      path: '/v1/models/:id',
      summary: 'Show a model',
      detail: 'One model of the stack of the key. Slashes in its name are encoded as `%2F`.',
      parameters: [{ name: 'id', meaning: 'The name of the model.' }],
      faults: ['model-not-found'],
      answer: jsonReply('Model', modelSchema),
      handle: ({ caller: { stack, models }, params }) => {
        const id = models.find((model) => model === params.id);
        if (id !== undefined) return jsonAnswer(modelOf(id, stack));
        const message = `This stack serves ${quoted(models)}, not the model asked for.`;
        throw new Fault('model-not-found', message, { param: 'model' });
      },
    },
  ];
}

const common = { ...ofScope('models'), method: 'GET' } as const;

function modelList({ stack, models }: Caller): ModelList {
  return {
    object: 'list',
    data: models.map((id) => modelOf(id, stack)),
    has_more: false,
    first_id: models[0] ?? null,
    last_id: models.at(-1) ?? null,
  };
}

function modelOf(id: string, stack: CallerStack): Model {
  return {
    id,
    object: 'model',
    created: Math.floor(stack.createdAt.getTime() / 1000),
    owned_by: 'stackgate',
    type: 'model',
    display_name: id,
    created_at: stack.createdAt.toISOString(),
  };
}

function quoted(models: readonly string[]): string {
  return models.map((model) => `"${model}"`).join(', ') || 'no model';
}
