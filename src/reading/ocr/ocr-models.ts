/** The files that OCR runs on. */
export interface OcrModelFiles {
  readonly detector: string;
  readonly recogniser: string;
  /** Tells lines that stand on their head; without it, what reads better decides. */
  readonly classifier?: string | undefined;
  /** One character per line; absent where the recogniser's file holds it. */
  readonly dictionary?: string | undefined;
}
