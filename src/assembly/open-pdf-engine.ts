import type { Config } from '../config/config.ts';
import { ChromiumEngine } from '../pdf/engines/chromium/chromium-engine.ts';
import type { PdfObserver } from '../pdf/pdf-observer.ts';
import { createLog, type Log } from '../telemetry/log.ts';

const MS_PER_SECOND = 1_000;
const BYTES_PER_MB = 1_000_000;

export interface PdfEngineWatchers {
  readonly log: Log;
  readonly observer: PdfObserver;
}

/** The configured PDF engine. Its browser starts with the first document. */
export function openPdfEngine(config: Config, { log, observer }: PdfEngineWatchers): ChromiumEngine {
  const { executable, sandbox, timeoutSeconds, memoryMb } = config.engines.pdf;
  return new ChromiumEngine({
    dataDir: config.dataDir,
    executable,
    sandbox,
    timeoutMs: timeoutSeconds * MS_PER_SECOND,
    memoryBytes: memoryMb * BYTES_PER_MB,
    log,
    observer,
  });
}

/** For a command that prints one page and reports the result itself. */
export function openTrialPdfEngine(config: Config): ChromiumEngine {
  const ignore = () => {};
  return openPdfEngine(config, {
    log: createLog('error', { write: ignore }),
    observer: {
      documentEnded: ignore,
      stepTook: ignore,
      pagesPrinted: ignore,
      browserStarted: ignore,
      browserEnded: ignore,
      pageKilled: ignore,
    },
  });
}
