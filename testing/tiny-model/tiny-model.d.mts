export interface TinyModelOptions {
  /** What it says: ASCII words, each its own token, or other characters, whose bytes are. None may come twice. */
  readonly says?: readonly string[];
  /** Whether it says them again and again. */
  readonly loops?: boolean;
  readonly seed?: number;
}

/** Writes a model file that answers by itself, small enough for any test. */
export function writeTinyModel(path: string, options?: TinyModelOptions): Promise<void>;
