import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ImageForm, imageFields, imageJson, recalled, SIZES, seedProblem } from './image-form.ts';

const MOST_SEED = 18446744073709551615n;
const forms = fc.record({
  prompt: fc.string({ unit: 'grapheme' }),
  size: fc.constantFrom(...SIZES),
  steps: fc.integer({ min: 1, max: 8 }),
  guidance: fc.double({ min: 0, max: 20, noNaN: true }).map((value) => value + 0),
  seed: fc.bigInt({ min: 0n, max: MOST_SEED }).map(String),
});

/** The row that the gateway stores of a request, read with all digits of the seed. */
function stored(body: string) {
  const seed = /"seed": (\d+)/.exec(body.slice(body.lastIndexOf('"guidance_scale"')))?.[1] ?? '';
  const { prompt, size, steps, guidance_scale } = JSON.parse(body);
  const [width, height] = size.split('x').map(Number);
  return { prompt, width, height, steps, guidance_scale, seed };
}

it('gives back every parameter of an image: form, request, stored, form', () => {
  fc.assert(
    fc.property(forms, (form: ImageForm) => {
      expect(recalled(stored(imageJson(form)), 'all')).toEqual(form);
      expect(recalled(stored(imageJson(form, 2)), 'remix')).toEqual({ ...form, seed: '' });
      expect(recalled(stored(imageJson(form)), 'seed')).toEqual({ seed: form.seed });
    }),
    { numRuns: 150 },
  );
});

it('leaves to the gateway what is not chosen', () => {
  const form = { prompt: 'a fox', size: '1024x1024', steps: null, guidance: null, seed: ' ' } as const;
  expect(imageFields(form)).toEqual({ prompt: 'a fox', size: '1024x1024' });
});

it('knows a seed of 64 bits from others', () => {
  for (const seed of ['', '0', '7', String(MOST_SEED)]) expect(seedProblem(seed)).toBeUndefined();
  for (const seed of ['-1', '1.5', 'x', String(MOST_SEED + 1n)])
    expect(seedProblem(seed)).toContain('0 to 18446744073709551615');
});
