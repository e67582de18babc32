import type { LlamaConfig } from '../../../config/config.ts';
import { systemClock } from '../../../lib/clock.ts';
import { defaultBackoff } from '../../../supervision/backoff.ts';
import type { Log } from '../../../telemetry/log.ts';
import { llamaLimits } from './llama-limits.ts';
import { LlamaProcess } from './llama-process.ts';

/** Loads a model as the engine does and unloads it; rejects if that fails or the signal aborts. */
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
    // The first failure ends the probe.
    backoff: { ...defaultBackoff, degradedAfterCrashes: 1 },
  });
  try {
    await probed.ready(signal);
  } finally {
    await probed.close();
  }
}

/** The rejection reports failures. */
const silentLog: Log = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  request: () => {},
};
