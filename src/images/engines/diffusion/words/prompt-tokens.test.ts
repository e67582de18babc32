import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../../testing/fuzz/any-character.ts';
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
    expect(namesOf('a knight fighting a dragon')).toEqual(['knight', 'next_to', 'dragon', 'plain']);
    expect(namesOf('a whale flying over a city')).toEqual(['spouting whale', 'in', 'city']);
    expect(namesOf('remove the background', true)).toEqual(['white', 'background']);
    expect(namesOf('')).toEqual(['plain']);
  });

  it('shows what a container holds, and of a measure only what is measured', () => {
    expect(namesOf('a blue vase of tulips')).toEqual(['tulip', 'on', 'blue', 'vase', 'plain']);
    expect(namesOf('a basket of green apples in a field')).toEqual([
      'green apple',
      'in',
      'basket',
      'in',
      'grass',
    ]);
    expect(namesOf('a slice of pizza')).toEqual(['pizza', 'plain']);
    expect(namesOf('two cups of tea')).toEqual(['two', 'cup of tea', 'plain']);
    expect(namesOf('a bowl of chicken soup')).toEqual(['steaming bowl', 'plain']);
    expect(namesOf('a bucket of')).toEqual(['bucket', 'plain']);
    expect(namesOf('a vase of blue')).toEqual(['vase', 'plain']);
    expect(namesOf('a flock of sheep')).toEqual(['four', 'ewe', 'plain']);
  });

  it('knows hair and moods, but no looks', () => {
    expect(namesOf('a woman with curly hair')).toEqual(['person curly hair', 'plain']);
    expect(namesOf('a girl with long black hair on the beach')).toEqual(['girl', 'on', 'beach']);
    expect(namesOf('a sad clown')).toEqual(['sad', 'clown face', 'plain']);
    expect(namesOf('the dog looks sad')).toEqual(['sad', 'dog', 'plain']);
    expect(namesOf('a cat and a dog together')).toEqual(['cat', 'and', 'dog', 'plain']);
    expect(namesOf('put all three together', true)).toEqual(['combine']);
  });

  it('keeps a colour or a relation only where something follows that it belongs to', () => {
    expect(namesOf('a red and blue gradient')).toEqual(['red', 'and', 'blue', 'gradient']);
    expect(namesOf('a cat with')).toEqual(['cat', 'plain']);
    expect(namesOf('orange')).toEqual(['orange', 'plain']);
  });

  it('says where a worn thing goes', () => {
    expect(namesOf('add a red top hat', true)).toEqual(['add', 'red', 'top hat', 'on', 'it']);
    expect(namesOf('give the duck a hat', true)).toEqual(['add', 'top hat', 'on', 'duck']);
    expect(namesOf('add sunglasses', true)).toEqual(['wearing', 'sunglasses']);
    expect(namesOf('add a crown above the bear', true)).toEqual(['add', 'crown', 'above', 'bear']);
    expect(namesOf('add a dog and a crown', true)).toEqual(['add', 'dog', 'and', 'crown']);
  });

  it('adds what is added without a place, and puts into the hand what is given', () => {
    expect(namesOf('add a shark in the water', true)).toEqual(['add', 'shark']);
    expect(namesOf('add a cloud', true)).toEqual(['add', 'cloud']);
    expect(namesOf('give the man a banana', true)).toEqual(['man', 'holding', 'banana']);
  });

  it('tells a couple of things from a couple', () => {
    expect(namesOf('a couple of cats')).toEqual(['two', 'cat', 'plain']);
    expect(namesOf('a couple on a beach')).toEqual(['man', 'and', 'woman', 'on', 'beach']);
  });

  it('does not correct real words', () => {
    expect(namesOf('a wire')).toEqual(['coil of wire', 'plain']);
    expect(namesOf('a sheeep')).toEqual(['ewe', 'plain']);
  });

  // A difference here changes pictures.
  it('is read as recorded', () => {
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
    const unknownIn = (prompt: string) => encoder.encode(prompt, { isEdit: false }).unknownWords;
    expect(unknownIn('a qwxzv cat with a Blorptangle, qwxzv')).toEqual(['qwxzv', 'blorptangle']);
    expect(unknownIn('Чай и 猫, 고양이, smørrebrød')).toEqual(['чай', 'и', '猫', '고양이', 'smørrebrød']);
    expect(unknownIn('❤️ 2️⃣ cats 🧟‍♂️')).toEqual([]);
  });

  it('has no unknown words among those that say how, where and how much', () => {
    const { unknownWords } = encoder.encode('two cups of tea, a pile of books on the left, very detailed', {
      isEdit: false,
    });
    expect(unknownWords).toEqual([]);
  });

  it('is always as many tokens as the model takes, whatever is written', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), fc.boolean(), (prompt, isEdit) => {
        const { tokens } = encoder.encode(prompt, { isEdit });
        expect(tokens).toHaveLength(PROMPT_TOKENS);
        expect(tokens.every((token) => Number.isInteger(token) && token >= 0 && token < 94 + 2216)).toBe(
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
