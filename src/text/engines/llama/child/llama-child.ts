import type { Token } from 'node-llama-cpp';
import { systemClock } from '../../../../lib/clock.ts';
import { type ChildHandler, serveRequests } from '../../../../supervision/serve-requests.ts';
import { type LlamaRequest, type LlamaSetup, parseLlamaRequest } from '../llama-protocol.ts';
import { AnswerRun } from './answer-run.ts';
import { EndPressure } from './end-pressure.ts';
import { LoadedModel } from './loaded-model.ts';
import { rankCandidates, rankingPrompt } from './rank-run.ts';
import { type ScopedPrompt, Slots } from './slots.ts';

await serveRequests(async () => openHandler(JSON.parse(process.argv[2] ?? '{}')));

async function openHandler(setup: LlamaSetup): Promise<ChildHandler> {
  const loaded = await LoadedModel.load(setup);
  const slots = new Slots({
    model: loaded.model,
    lora: loaded.lora,
    threads: setup.threads,
    contextWindow: setup.contextWindow,
    folder: setup.folder,
    count: setup.sequences,
    idleMs: setup.contextIdleMs,
    clock: systemClock,
  });
  const { rambleTokens } = setup;
  const endPressure = rambleTokens === undefined ? undefined : new EndPressure(loaded.model, rambleTokens);
  return {
    handle(payload, signal) {
      const request = parseLlamaRequest(payload);
      switch (request.type) {
        case 'count':
          return loaded.countPrompt(request.conversation, signal);
        case 'write': {
          const prompt = loaded.promptTokens(request.conversation);
          loaded.requireRoom(prompt.length);
          const recommended = setup.sampling;
          return slots.use(scoped(prompt, request), signal, (slot) =>
            new AnswerRun({ loaded, recommended, endPressure, request, prompt, slot, signal }).write(),
          );
        }
        case 'rank': {
          const prompt = rankingPrompt(loaded, request);
          return slots.use(scoped(prompt, request), signal, (slot) =>
            rankCandidates({ loaded, request, prompt, slot, signal }),
          );
        }
      }
    },
  };
}

function scoped(tokens: readonly Token[], { conversation }: LlamaRequest): ScopedPrompt {
  return { tokens, scope: conversation.cacheScope };
}
