import type { TextEngine } from '../text/text-engine.ts';
import type { Extractor } from './extractor.ts';

/** The ways there are, and which engines are to be asked for grounded values. */
export interface ExtractorChoice {
  readonly direct: Extractor;
  readonly grounded: Extractor;
  readonly isGrounded: (engine: TextEngine) => boolean;
}

/** The way that suits an engine: grounded values need its probabilities. */
export function extractorFor(
  engine: TextEngine,
  { direct, grounded, isGrounded }: ExtractorChoice,
): Extractor {
  return engine.ranker !== undefined && isGrounded(engine) ? grounded : direct;
}
