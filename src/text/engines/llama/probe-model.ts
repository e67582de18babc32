import type { LlamaConfig } from '../../../config/config.ts';
import { systemClock } from '../../../lib/clock.ts';
import { defaultBackoff } from '../../../supervision/backoff.ts';
import type { Log } from '../../../telemetry/log.ts';
import { llamaLimits } from './llama-limits.ts';
import { LlamaProcess } from './llama-process.ts';

/** Loads a model as the engine does, and lets it go again; rejects where that cannot be done before the signal aborts. */
export async function probeModel(
  {
    config,
    modelPath,
    folder,
  }: { readonly config: LlamaConfig; readonly modelPath: string; readonly folder: string },
  signal: AbortSignal,
): Promise<void> {
  const probed = new LlamaProcess({
    config,
    file: {
      sampling: { temperature: 0 },
      longestContext: undefined,
      path: async () => modelPath,
      wait: undefined,
      hasFailed: false,
    },
    contextWindow: config.contextWindow,
    folder,
    log: silentLog,
    clock: systemClock,
    limits: llamaLimits,
    // Who probes wants to know of the first failure.
    backoff: { ...defaultBackoff, degradedAfterCrashes: 1 },
  });
  try {
    await probed.ready(signal);
  } finally {
    await probed.close();
  }
}

/** What goes wrong is told by the rejection. */
const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  request: () => {},
};
