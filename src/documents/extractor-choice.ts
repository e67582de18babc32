import type { TextEngine } from '../text/text-engine.ts';
import type { Extractor } from './extractor.ts';

/** The extractors, and the rule for choosing one. */
export interface ExtractorChoice {
  readonly direct: Extractor;
  readonly grounded: Extractor;
  readonly isGrounded: (engine: TextEngine) => boolean;
}

/** Grounded extraction needs an engine that reports probabilities. */
export function extractorFor(
  engine: TextEngine,
  { direct, grounded, isGrounded }: ExtractorChoice,
): Extractor {
  return engine.ranker !== undefined && isGrounded(engine) ? grounded : direct;
}
