export interface OcrModelFiles {
  readonly detector: string;
  readonly recogniser: string;
  /** Detects upside-down lines; without it, both directions are read and the better one wins. */
  readonly classifier?: string | undefined;
  /** One character per line; absent if the recogniser's file contains it. */
  readonly dictionary?: string | undefined;
}
