import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Lexicon } from './lexicon.ts';
import { PROMPT_TOKENS, PromptEncoder } from './prompt-tokens.ts';

const at = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const encoder = new PromptEncoder(new Lexicon(at('../../../../../models/painter/lexicon.json')));
const namesOf = (prompt: string, isEdit = false) => encoder.encode(prompt, { isEdit }).names;

interface Recorded {
  readonly prompt: string;
  readonly isEdit: boolean;
  readonly tokens: readonly number[];
  readonly unknownWords: readonly string[];
}

describe('a prompt', () => {
  it('becomes the words that the model was trained on', () => {
    expect(namesOf('An orange cat sitting on a wooden table')).toEqual(['orange', 'cat', 'on', 'table']);
    expect(namesOf('an orange')).toEqual(['tangerine', 'plain']);
    expect(namesOf('three stars above a house at night')).toEqual([
      'three',
      'star',
      'above',
      'house',
      'night',
    ]);
    expect(namesOf('a knight fighting a dragon')).toEqual(['guard', 'and', 'dragon', 'plain']);
    expect(namesOf('a whale flying over a city')).toEqual(['spouting whale', 'in', 'city']);
    expect(namesOf('remove the background', true)).toEqual(['white', 'background']);
    expect(namesOf('')).toEqual(['plain']);
  });

  // Recorded from the tokenizer that encoded the captions in training: what it read is what the model knows.
  it('is read as in training', () => {
    const recorded: readonly Recorded[] = JSON.parse(
      at('../../../../../testing/fixtures/painter-prompts.json'),
    );
    const read = recorded.map(({ prompt, isEdit }) => {
      const { tokens, unknownWords } = encoder.encode(prompt, { isEdit });
      return { prompt, isEdit, tokens: tokens.filter((token) => token !== 0), unknownWords };
    });
    expect(read).toEqual(recorded);
  });

  it('tells its unknown words', () => {
    expect(encoder.encode('a qwxzv cat', { isEdit: false }).unknownWords).toEqual(['qwxzv']);
    expect(encoder.encode('кошка и 猫', { isEdit: false }).unknownWords).toEqual([]);
  });

  it('is always as many tokens as the model takes, whatever is written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.boolean(), (prompt, isEdit) => {
        const { tokens } = encoder.encode(prompt, { isEdit });
        expect(tokens).toHaveLength(PROMPT_TOKENS);
        expect(tokens.every((token) => Number.isInteger(token) && token >= 0 && token < 82 + 1260)).toBe(
          true,
        );
      }),
      { numRuns: 300 },
    );
    expect(encoder.encode('cat '.repeat(2_500), { isEdit: false }).tokens).toHaveLength(PROMPT_TOKENS);
    expect(encoder.encode('x'.repeat(10_000), { isEdit: true }).tokens).toHaveLength(PROMPT_TOKENS);
  });

  it('has an effect up to its last token, and none after it', () => {
    const long = 'a red cat, a blue dog, '.repeat(8);
    const read = encoder.encode(long, { isEdit: false }).tokens;
    for (const rest of ['on a beach at night', 'two green horses', 'remove the hat', 'qwxzv']) {
      expect(encoder.encode(long + rest, { isEdit: false }).tokens).toEqual(read);
    }
  });
});
