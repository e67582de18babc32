import type { EndedRequest } from '../../src/access/usage-recorder.ts';
import { makeCaller } from '../fake-callers.ts';

/** A chat answered in 7 ms, with overrides. */
export function endedRequest(changes: Partial<EndedRequest> = {}): EndedRequest {
  return {
    caller: makeCaller(),
    endpoint: '/v1/chat/completions',
    model: 'tiny',
    outcome: 'ok',
    costMicros: 0,
    latencyMs: 7,
    settledDay: undefined,
    settledTokens: 0,
    settledMoney: undefined,
    promptTokens: 0,
    completionTokens: 0,
    pages: 0,
    images: 0,
    pdfPages: 0,
    ...changes,
  };
}
