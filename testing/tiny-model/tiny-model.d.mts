export interface TinyModelOptions {
  /** Its words: ASCII words, each its own token, or other characters, whose bytes are. Without repetitions. */
  readonly says?: readonly string[];
  /** Whether it repeats them endlessly. */
  readonly loops?: boolean;
  readonly seed?: number;
}

/** Writes a tiny model file that produces a fixed answer. */
export function writeTinyModel(path: string, options?: TinyModelOptions): Promise<void>;
