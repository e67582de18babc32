import { expect, it } from 'vitest';
import { type ClientWorld, describeClients } from './describe-clients.ts';
import type { ClientRow } from './run-client.ts';

const requestId = expect.stringMatching(/^req_/);

const openaiRows = ['openai-4', 'openai-5', 'openai-6', 'openai-7'].map(
  (alias): ClientRow => ({ alias, script: 'openai-models.mjs', credential: 'apiKey' }),
);
const anthropicRows = ['anthropic-0.27', 'anthropic-0.137', 'anthropic-1'].flatMap((alias) =>
  (['apiKey', 'authToken'] as const).map(
    (credential): ClientRow => ({ alias, script: 'anthropic-models.mjs', credential }),
  ),
);

/** Clients of both vendors, on the list of models. */
export function describeModels(world: ClientWorld): Promise<void> {
  return describeClients(
    world,
    { title: 'clients that list models', rows: [...openaiRows, ...anthropicRows] },
    (report) => {
      it('lists all models', () => {
        expect(report()).toHaveProperty('list', { ids: ['org/model-x', 'other'] });
      });

      it('retrieves a model and knows the id of the request', () => {
        expect(report()).toHaveProperty('plain', expect.objectContaining({ id: 'other', requestId }));
      });

      it('retrieves a model with a slash in its name', () => {
        expect(report()).toHaveProperty('slashed', expect.objectContaining({ id: 'org/model-x', requestId }));
      });

      it('says what is wrong with an unknown model', () => {
        const message = expect.stringContaining('not the model asked for');
        expect(report()).toHaveProperty(
          'unknown',
          expect.objectContaining({ error: 'NotFoundError', message, requestId }),
        );
      });

      it('takes a wrong key for one', () => {
        const message = expect.stringMatching(/key/i);
        expect(report()).toHaveProperty(
          'wrongKey',
          expect.objectContaining({ error: 'AuthenticationError', message, requestId }),
        );
      });
    },
  );
}
