import type { Log } from '../telemetry/log.ts';
import type { InstalledModel } from './installed-model.ts';
import type { ModelProgress } from './model-progress.ts';
import { progressText } from './size-text.ts';

/** Reports the progress of fetches to the operator. */
export interface FetchWatcher {
  progressed(name: string, progress: ModelProgress): void;
  arrived(name: string, model: InstalledModel): void;
  failed(name: string, reason: string, retryInMs: number): void;
}

const LOG_INTERVAL_MS = 10_000;

/** Reports to the log: start, occasional progress, end. */
export function logWatcher(log: Log, nowMs: () => number): FetchWatcher {
  let lastMs = Number.NEGATIVE_INFINITY;
  return {
    progressed(name, { source, receivedBytes, totalBytes }) {
      if (nowMs() - lastMs < LOG_INTERVAL_MS) return;
      lastMs = nowMs();
      log.info(
        { model: name, source, progress: progressText(receivedBytes, totalBytes) },
        'fetching a model',
      );
    },
    arrived(name) {
      lastMs = Number.NEGATIVE_INFINITY;
      log.info({ model: name }, 'the model is here');
    },
    failed(name, reason, retryInMs) {
      lastMs = Number.NEGATIVE_INFINITY;
      log.warn({ model: name, reason, retryInSeconds: Math.round(retryInMs / 1000) }, 'no model yet');
    },
  };
}
