import type { SequenceEvaluateOptions, Token } from 'node-llama-cpp';
import type { RecommendedSampling } from '../../../../catalogue/catalogue-entry.ts';
import type { Sampling } from '../../../conversation.ts';

/** The number of latest tokens that penalties apply to. */
const PENALTY_TOKENS = 256;
const SEEDS = 2 ** 32;

/** Sampling settings of one stretch of an answer. */
export interface StretchSampling {
  readonly sampling: Sampling;
  readonly recommended: RecommendedSampling;
  /** Within JSON or HTML. No penalties there: punctuation and tags have to repeat. */
  readonly isMarkup: boolean;
  readonly seed: number;
  /** The answer so far. */
  readonly written: readonly Token[];
}

/** All options of the binding, set explicitly, since its defaults are not neutral. */
export function samplingOptions(stretch: StretchSampling): SequenceEvaluateOptions {
  const { sampling, recommended, isMarkup } = stretch;
  const { temperature, markupTemperature = temperature } = recommended;
  // A 1 counts as set too: it asks for no truncation.
  const narrows = sampling.topK !== undefined || sampling.topP !== undefined;
  return {
    temperature: sampling.temperature ?? (isMarkup ? markupTemperature : temperature),
    topP: narrows ? (sampling.topP ?? 1) : (recommended.topP ?? 1),
    topK: narrows ? (sampling.topK ?? 0) : (recommended.topK ?? 0),
    minP: narrows ? 0 : (recommended.minP ?? 0),
    seed: stretch.seed % SEEDS,
    ...(isMarkup ? {} : penalties(stretch)),
  };
}

function penalties({ sampling, recommended, written }: StretchSampling): SequenceEvaluateOptions {
  const { presencePenalty, frequencyPenalty } = sampling;
  const latest = () => written.slice(-PENALTY_TOKENS);
  const base = { punishTokens: latest, maxPunishTokens: PENALTY_TOKENS };
  if (presencePenalty || frequencyPenalty) {
    return {
      repeatPenalty: {
        ...base,
        penalty: 1,
        presencePenalty: presencePenalty ?? 0,
        frequencyPenalty: frequencyPenalty ?? 0,
      },
    };
  }
  const { repeatPenalty = 1, dry } = recommended;
  return {
    ...(repeatPenalty !== 1 && { repeatPenalty: { ...base, penalty: repeatPenalty } }),
    ...(dry && {
      dryRepeatPenalty: {
        strength: dry.strength,
        lastTokens: dry.lastTokens,
        sequenceBreakers: [...dry.breakers],
      },
    }),
  };
}
