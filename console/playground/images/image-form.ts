import type { StoredImage } from '../../api/types.ts';

export const SIZES = ['1024x1024', '1536x1024', '1024x1536'] as const;
export type Size = (typeof SIZES)[number];

/** The form for an image. */
export interface ImageForm {
  readonly prompt: string;
  readonly size: Size;
  readonly steps: number | null;
  readonly guidance: number | null;
  /** A whole number of up to 64 bits, as text; empty: drawn by the gateway. */
  readonly seed: string;
}

const MOST_SEED = 2n ** 64n - 1n;

/** The mistake in a seed, if there is one. */
export function seedProblem(seed: string): string | undefined {
  if (seed.trim() === '') return undefined;
  if (!/^\d+$/.test(seed.trim()) || BigInt(seed.trim()) > MOST_SEED)
    return `A whole number from 0 to ${MOST_SEED}`;
  return undefined;
}

/** The body of `POST /v1/images/generations`. A seed has more digits than a number of JavaScript, so it is written by hand. */
export function imageJson(form: ImageForm, indent = 0): string {
  const fields = Object.entries(imageFields(form)).map(([name, value]) => {
    const written = name === 'prompt' || name === 'size' ? JSON.stringify(value) : value;
    return `${JSON.stringify(name)}: ${written}`;
  });
  return indent === 0
    ? `{${fields.join(', ')}}`
    : `{\n${fields.map((field) => ' '.repeat(indent) + field).join(',\n')}\n}`;
}

/** The fields as text, for a form with files. */
export function imageFields({
  prompt,
  size,
  steps,
  guidance,
  seed,
}: ImageForm): Readonly<Record<string, string>> {
  return {
    prompt,
    size,
    ...(steps !== null && { steps: String(steps) }),
    ...(guidance !== null && { guidance_scale: String(guidance) }),
    ...(seed.trim() !== '' && { seed: BigInt(seed.trim()).toString() }),
  };
}

export type Recall = 'all' | 'remix' | 'seed';

/** A stored image gives its parameters back: all of them, all but the seed, or the seed alone. */
export function recalled(
  image: Pick<StoredImage, 'prompt' | 'width' | 'height' | 'steps' | 'guidance_scale' | 'seed'>,
  what: Recall,
): Partial<ImageForm> {
  if (what === 'seed') return { seed: image.seed };
  const size = SIZES.find((known) => known === `${image.width}x${image.height}`) ?? SIZES[0];
  return {
    prompt: image.prompt,
    size,
    steps: image.steps,
    guidance: image.guidance_scale,
    seed: what === 'all' ? image.seed : '',
  };
}
