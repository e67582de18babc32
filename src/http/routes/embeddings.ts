import { requireModel } from '../../access/require-model.ts';
import { toFault } from '../../faults/fault.ts';
import type { EmbeddingsEngine } from '../../knowledge/embeddings-engine.ts';
import { embeddingsReply, embeddingsReplySchema } from '../../knowledge/wire/embeddings-reply.ts';
import { embeddingsRequestSchema, openEmbeddingsRequest } from '../../knowledge/wire/embeddings-request.ts';
import { estimatedTextTokens } from '../../text/prompt-size.ts';
import { jsonAnswer } from '../answer.ts';
import { jsonBody } from '../body-rules.ts';
import { jsonReply, type KeyRoute } from '../route.ts';
import { ofScope } from './of-scope.ts';

/** `POST /v1/embeddings`: vectors of the model that the knowledge base uses. */
export function embeddingsRoute(engine: EmbeddingsEngine): KeyRoute {
  return {
    ...ofScope('embeddings'),
    method: 'POST',
    path: '/v1/embeddings',
    body: jsonBody,
    summary: 'Embeddings',
    detail:
      'Turns texts into vectors of length 1 whose closeness is closeness of meaning. The embedded model knows English sentences and reads the first 128 tokens of each text.',
    request: { schema: embeddingsRequestSchema, schemaName: 'EmbeddingsRequest', example },
    answer: jsonReply('EmbeddingsReply', embeddingsReplySchema),
    faults: [
      'invalid-request',
      'context-length-exceeded',
      'engine-refused',
      'model-not-allowed',
      'model-not-found',
      'token-budget-exceeded',
      'budget-exceeded',
      'engine-failed',
      'engine-overloaded',
      'model-not-ready',
      'engine-timeout',
    ],
    handle: async ({ body, caller, meter, signal }) => {
      const request = openEmbeddingsRequest(body, engine.model);
      requireModel(caller, engine.model);
      meter.servedBy(engine.model);
      await meter.reserveTokens(estimatedTextTokens(request.texts));
      const span = meter.trace?.start(`embeddings ${engine.model}`, 'client');
      const attributes = {
        'gen_ai.operation.name': 'embeddings',
        'gen_ai.provider.name': 'stackgate',
        'gen_ai.request.model': engine.model,
      };
      const embeddings = await engine
        .embed(request.texts, { stackId: caller.stack.id, signal, span })
        .catch((error: unknown) => {
          span?.end(attributes, toFault(error).code);
          throw error;
        });
      span?.end({ ...attributes, 'gen_ai.usage.input_tokens': embeddings.tokens });
      meter.add({ promptTokens: embeddings.tokens });
      return jsonAnswer(embeddingsReply(embeddings, request, engine.model));
    },
  };
}

const example = '{"model": "universal-sentence-encoder-lite", "input": "How do I return a parcel?"}';
