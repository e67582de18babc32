import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../../../testing/text/engine-conversations.ts';
import type { Sampling } from '../../../conversation.ts';
import { samplingOptions } from './sampling-options.ts';

const recommended = {
  temperature: 0.3,
  markupTemperature: 0,
  minP: 0.1,
  repeatPenalty: 1.05,
  dry: { strength: 0.8, lastTokens: 256, breakers: [':'] },
};

function optionsOf(sampling: Partial<Sampling>, isMarkup = false) {
  const { sampling: whole } = conversationOf({
    sampling: { temperature: undefined, topP: undefined, ...sampling },
  });
  return samplingOptions({ sampling: whole, recommended, isMarkup, seed: 2 ** 32 + 5, written: [] });
}

describe('the sampling of an answer', () => {
  it('is as recommended by default', () => {
    expect(optionsOf({})).toMatchObject({
      temperature: 0.3,
      topP: 1,
      topK: 0,
      minP: 0.1,
      seed: 5,
      repeatPenalty: { penalty: 1.05 },
      dryRepeatPenalty: { strength: 0.8, lastTokens: 256, sequenceBreakers: [':'] },
    });
  });

  it('follows the caller, without further truncation', () => {
    expect(optionsOf({ temperature: 1.5, topP: 0.5 })).toMatchObject({
      temperature: 1.5,
      topP: 0.5,
      topK: 0,
      minP: 0,
    });
    expect(optionsOf({ topK: 7 })).toMatchObject({ topP: 1, topK: 7, minP: 0 });
    expect(optionsOf({ topP: 1 })).toMatchObject({ temperature: 0.3, topP: 1, topK: 0, minP: 0 });
  });

  it("uses the caller's penalties instead of the recommended ones", () => {
    const options = optionsOf({ presencePenalty: 0.5, frequencyPenalty: 0 });
    expect(options.repeatPenalty).toMatchObject({ penalty: 1, presencePenalty: 0.5, frequencyPenalty: 0 });
    expect(options.dryRepeatPenalty).toBeUndefined();
  });

  it('penalises nothing inside JSON and HTML, and is as exact there as recommended', () => {
    const options = optionsOf({ presencePenalty: 0.5 }, true);
    expect(options.repeatPenalty).toBeUndefined();
    expect(options.dryRepeatPenalty).toBeUndefined();
    expect(options.temperature).toBe(0);
    expect(optionsOf({ temperature: 0.7 }, true).temperature).toBe(0.7);
  });
});
