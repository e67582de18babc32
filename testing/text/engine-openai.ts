import { expect } from 'vitest';
import type { OpenAiConfig } from '../../src/config/config.ts';
import { Fault } from '../../src/faults/fault.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { OpenAiEngine, type OpenAiEngineOptions } from '../../src/text/engines/openai/openai-engine.ts';
import type { TextEvent } from '../../src/text/text-event.ts';
import type { CountingClock } from '../bad-child/clocks.ts';
import type { FakeUpstream } from '../fake-upstream/fake-upstream.mjs';

/** Settings of the configuration and the engine. */
export type OpenAiEngineSettings = Partial<OpenAiConfig> & {
  readonly made?: Partial<Omit<OpenAiEngineOptions, 'config'>>;
};

/** An engine for fake servers. */
export function openAiEngineFor(
  upstreams: readonly Pick<FakeUpstream, 'url'>[],
  { made, ...config }: OpenAiEngineSettings = {},
): OpenAiEngine {
  return new OpenAiEngine({
    config: {
      kind: 'openai',
      baseUrls: upstreams.map(({ url }) => `${url}/v1`),
      model: 'fake-model',
      vision: false,
      tokenize: 'auto',
      timeoutSeconds: 20,
      ...config,
    },
    log: createLog('silent', { write: () => undefined }),
    ...made,
  });
}

/** Closes an engine, and checks that nothing is left. */
export async function closeWhole(
  engine: OpenAiEngine,
  upstreams: readonly FakeUpstream[],
  clock?: CountingClock,
): Promise<void> {
  await engine.close();
  const signal = AbortSignal.timeout(60_000);
  for (const upstream of upstreams) {
    await upstream.until(
      ({ activeRequests, openConnections }) => activeRequests === 0 && openConnections === 0,
      signal,
    );
  }
  if (clock !== undefined) expect(clock.pending).toBe(0);
}

/** The failure of an answer, and its events before. */
export async function failureOf(
  batches: AsyncIterable<readonly TextEvent[]>,
): Promise<{ readonly fault: Fault; readonly events: readonly TextEvent[] }> {
  const events: TextEvent[] = [];
  try {
    for await (const batch of batches) events.push(...batch);
  } catch (error) {
    if (error instanceof Fault) return { fault: error, events };
    throw error;
  }
  throw new Error(`the answer did not fail: ${JSON.stringify(events)}`);
}
