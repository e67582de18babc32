import { InferenceSession, Tensor } from 'onnxruntime-node';
import { gaussianNoise } from './gaussian-noise.ts';
import type { PainterWeights } from './painter-weights.ts';
import { fromPatches, patchCentres, toPatches } from './patches.ts';
import { advance, clamp, guide, momentsOf } from './sampling.ts';
import { Lexicon } from './words/lexicon.ts';
import { PROMPT_TOKENS, PromptEncoder, type PromptTokens } from './words/prompt-tokens.ts';

const PATCH = 8;
const REFERENCE_PATCH = 16;
const CHANNELS = 3;
/** Ratio of picture size to canvas size. */
const ENLARGEMENT = 8;

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface PaintJob extends Size {
  readonly prompt: string;
  readonly steps: number;
  readonly guidanceScale: number;
  readonly seed: bigint;
  /** Pixels in -1..1 at canvas size. */
  readonly references: readonly Float32Array[];
}

export interface PaintedPicture {
  readonly rgb: Buffer;
  readonly unknownWords: readonly string[];
}

type Inputs = Readonly<Record<string, Tensor>>;

/** The size at which a picture is painted before it is enlarged. */
export function canvasOf({ width, height }: Size): Size {
  return { width: width / ENLARGEMENT, height: height / ENLARGEMENT };
}

/** The model in memory: a few steps from noise to a small picture, then upscaling. */
export class Painter {
  readonly #encoder: PromptEncoder;
  readonly #model: InferenceSession;
  readonly #upsampler: InferenceSession;

  private constructor(encoder: PromptEncoder, model: InferenceSession, upsampler: InferenceSession) {
    this.#encoder = encoder;
    this.#model = model;
    this.#upsampler = upsampler;
  }

  static async load(weights: PainterWeights, threads: number): Promise<Painter> {
    const options = sessionOptions(threads);
    const model = await InferenceSession.create(weights.painter, options);
    const upsampler = await InferenceSession.create(weights.upsampler, options);
    return new Painter(new PromptEncoder(new Lexicon(weights.lexicon)), model, upsampler);
  }

  /** Paints; yields each step before it starts, and leaving the loop stops the work. */
  async *paint(job: PaintJob): AsyncGenerator<number, PaintedPicture> {
    const canvas = canvasOf(job);
    const references = job.references.length;
    const prompt = this.#encoder.encode(job.prompt, { isEdit: references > 0, references });
    const fixed = { ...canvasInputs(canvas), ...referenceInputs(job.references, canvas) };
    const moments = momentsOf(job.steps);
    let noisy = gaussianNoise(canvas.width * canvas.height * CHANNELS, job.seed);
    for (let step = 0; step < job.steps; step++) {
      yield step;
      const [now = 0, next = 1] = moments.slice(step, step + 2);
      const clean = await this.#predict(noisy, { prompt, now, fixed, guidance: job.guidanceScale });
      noisy = advance(noisy, clean, { now, next });
    }
    yield job.steps;
    const rgb = await this.#enlarge(fromPatches(noisy, { ...canvas, patch: PATCH }), canvas);
    return { rgb, unknownWords: prompt.unknownWords };
  }

  /** Predicts the clean picture from a noisy one. Guidance 1 follows the prompt, 0 ignores it, more is more literal. */
  async #predict(
    noisy: Float32Array,
    { prompt, now, fixed, guidance }: { prompt: PromptTokens; now: number; fixed: Inputs; guidance: number },
  ): Promise<Float32Array> {
    const run = (tokens: readonly number[]) => this.#runModel(noisy, { tokens, now, fixed });
    if (guidance === 1) return await run(prompt.tokens);
    const unasked = await run(new Array<number>(PROMPT_TOKENS).fill(0));
    if (guidance === 0) return unasked;
    return guide(await run(prompt.tokens), unasked, { guidance, now });
  }

  async #runModel(
    noisy: Float32Array,
    { tokens, now, fixed }: { tokens: readonly number[]; now: number; fixed: Inputs },
  ): Promise<Float32Array> {
    const patchSize = PATCH * PATCH * CHANNELS;
    const { clean } = await this.#model.run({
      ...fixed,
      tokens: new Tensor('int64', BigInt64Array.from(tokens, BigInt), [1, PROMPT_TOKENS]),
      time: new Tensor('float32', Float32Array.of(now), [1]),
      patches: new Tensor('float32', noisy, [1, noisy.length / patchSize, patchSize]),
    });
    return floatsOf(clean);
  }

  async #enlarge(pixels: Float32Array, { width, height }: Size): Promise<Buffer> {
    const area = width * height;
    const planes = new Float32Array(area * CHANNELS);
    for (let index = 0; index < planes.length; index++) {
      const plane = (index % CHANNELS) * area + Math.floor(index / CHANNELS);
      planes[plane] = clamp((pixels[index] ?? 0) * 0.5 + 0.5, 0, 1);
    }
    const small = new Tensor('float32', planes, [1, CHANNELS, height, width]);
    const { large } = await this.#upsampler.run({ small });
    return bytesOf(floatsOf(large));
  }
}

// Sequential execution, so that the same request gives the same bytes. Quantised weights are widened once, at load; without the
// arena, memory is returned after each picture.
function sessionOptions(threads: number): InferenceSession.SessionOptions {
  return {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    enableCpuMemArena: false,
    extra: { session: { disable_quant_qdq: '1' } },
  };
}

function canvasInputs(canvas: Size): Inputs {
  const grid = { ...canvas, patch: PATCH };
  const centres = patchCentres(grid);
  return { places: new Tensor('float32', centres, [centres.length / 4, 4]) };
}

/** All references in one row of patches, distinguished by a role. */
function referenceInputs(references: readonly Float32Array[], canvas: Size): Inputs {
  const grid = { ...canvas, patch: REFERENCE_PATCH };
  const patchSize = REFERENCE_PATCH * REFERENCE_PATCH * CHANNELS;
  const each = (canvas.width * canvas.height * CHANNELS) / patchSize;
  const count = references.length * each;
  const patches = new Float32Array(count * patchSize);
  const places = new Float32Array(count * 4);
  const roles = new BigInt64Array(count);
  for (const [index, pixels] of references.entries()) {
    patches.set(toPatches(pixels, grid), index * each * patchSize);
    places.set(patchCentres(grid), index * each * 4);
    roles.fill(BigInt(index + 1), index * each, (index + 1) * each);
  }
  return {
    references: new Tensor('float32', patches, [1, count, patchSize]),
    reference_places: new Tensor('float32', places, [count, 4]),
    reference_roles: new Tensor('int64', roles, [count]),
  };
}

function floatsOf(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new Error('the model gave no picture');
  return tensor.data;
}

/** Planes in 0..1 to RGB bytes. */
function bytesOf(planes: Float32Array): Buffer {
  const area = planes.length / CHANNELS;
  const rgb = Buffer.alloc(planes.length);
  for (let channel = 0; channel < CHANNELS; channel++) {
    for (let index = 0; index < area; index++) {
      rgb[index * CHANNELS + channel] = clamp(
        Math.round((planes[channel * area + index] ?? 0) * 255),
        0,
        255,
      );
    }
  }
  return rgb;
}
