import { InferenceSession, Tensor } from 'onnxruntime-node';
import { FEATURES } from './page-pieces.ts';

const VECTOR_WIDTH = 384;
/** Vectors kept: a schema asked again costs half. 3 MB. */
const MOST_VECTORS = 2_000;

/** A memory pattern is one block for each length of input: 35 MB more at most, and not quicker. */
const USUAL = { intraOpNumThreads: 1, interOpNumThreads: 1, enableMemPattern: false } as const;
/** Keeping the memory of a full stretch saves a quarter of the time. */
const ENCODER_OPTIONS: InferenceSession.SessionOptions = { ...USUAL, enableCpuMemArena: true };
/** Scoring is quick, and needs memory by the number of fields: given back. */
const POINTER_OPTIONS: InferenceSession.SessionOptions = { ...USUAL, enableCpuMemArena: false };

/** The network in memory: reads pieces, and scores them for fields. */
export class FieldNetwork {
  readonly #encoder: InferenceSession;
  readonly #pointer: InferenceSession;
  /** By the ids of a field's text; the least recently used first. */
  readonly #vectors = new Map<string, Float32Array>();

  private constructor(encoder: InferenceSession, pointer: InferenceSession) {
    this.#encoder = encoder;
    this.#pointer = pointer;
  }

  static async load(files: { readonly encoder: string; readonly fields: string }): Promise<FieldNetwork> {
    const encoder = await InferenceSession.create(files.encoder, ENCODER_OPTIONS);
    return new FieldNetwork(encoder, await InferenceSession.create(files.fields, POINTER_OPTIONS));
  }

  /** A field's vector: the mean over the pieces of its text. Fields are read one by one, since int8 scales are those of the whole input. */
  async vectorOf(ids: readonly number[]): Promise<Float32Array> {
    const key = ids.join(' ');
    const vector =
      this.#vectors.get(key) ?? meanOf(await this.#encode(ids.flatMap((id) => [id, ...NO_PLACE])));
    this.#vectors.delete(key);
    this.#vectors.set(key, vector);
    for (const oldest of this.#vectors.keys()) {
      if (this.#vectors.size <= MOST_VECTORS) break;
      this.#vectors.delete(oldest);
    }
    return vector;
  }

  /** Scores of shape [fields, pieces, 4] for a stretch's features; the mark for "nothing" is among them. */
  async score(features: readonly number[], vectors: readonly Float32Array[]): Promise<Float32Array> {
    const page = await this.#encode(features);
    const fields = new Float32Array(vectors.length * VECTOR_WIDTH);
    for (const [index, vector] of vectors.entries()) fields.set(vector, index * VECTOR_WIDTH);
    const output = await this.#pointer.run({
      fields: new Tensor('float32', fields, [vectors.length, VECTOR_WIDTH]),
      page: new Tensor('float32', page, [page.length / VECTOR_WIDTH, VECTOR_WIDTH]),
    });
    return numbersOf(output.scores);
  }

  async #encode(features: readonly number[]): Promise<Float32Array> {
    const pieces = features.length / FEATURES;
    const output = await this.#encoder.run({
      features: new Tensor('int64', BigInt64Array.from(features, BigInt), [1, pieces, FEATURES]),
    });
    return numbersOf(output.encoded);
  }
}

/** The features after the id of a piece that stands nowhere. */
export const NO_PLACE = [0, 0, 0, 0, 0, 0, 0, 0] as const;

function numbersOf(tensor: Tensor | undefined): Float32Array {
  if (!(tensor?.data instanceof Float32Array)) throw new TypeError('the network gave no numbers');
  return tensor.data;
}

function meanOf(encoded: Float32Array): Float32Array {
  const pieces = encoded.length / VECTOR_WIDTH;
  return Float32Array.from({ length: VECTOR_WIDTH }, (_, index) => {
    let sum = 0;
    for (let piece = 0; piece < pieces; piece++) sum += encoded[piece * VECTOR_WIDTH + index] ?? 0;
    return sum / pieces;
  });
}
