import { InferenceSession, Tensor } from 'onnxruntime-node';
import { encoderGraph, TOKEN_WIDTH, VECTOR_WIDTH } from './encoder-graph.ts';
import type { EncoderWeights, WordPiece } from './encoder-weights.ts';
import { WordPieces } from './word-pieces.ts';

/** The encoder was trained on texts up to this length; the rest is ignored. */
const MAX_TEXT_TOKENS = 128;
/** Tokens per run: more is not faster, fewer leave the processor idle. */
const BATCH_TOKENS = 256;
const HIDDEN = -1e9;

const SESSION_OPTIONS: InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  enableCpuMemArena: false,
  enableMemPattern: false,
};

/** Turns texts into unit vectors. */
export class SentenceEncoder {
  readonly #session: InferenceSession;
  readonly #pieces: WordPieces;
  readonly #positions = positionTable();

  constructor(session: InferenceSession, pieces: WordPieces) {
    this.#session = session;
    this.#pieces = pieces;
  }

  static async open(weights: EncoderWeights, pieces: readonly WordPiece[]): Promise<SentenceEncoder> {
    const session = await InferenceSession.create(encoderGraph(weights), SESSION_OPTIONS);
    return new SentenceEncoder(session, new WordPieces(pieces));
  }

  /** The concatenated vectors and the number of tokens read. */
  async encode(texts: readonly string[]): Promise<{ vectors: Float32Array; tokens: number }> {
    const vectors = new Float32Array(texts.length * VECTOR_WIDTH);
    let batch: (readonly number[])[] = [];
    let done = 0;
    let waiting = 0;
    let tokens = 0;
    const run = async () => {
      if (batch.length === 0) return;
      vectors.set(await this.#run(batch, waiting), done * VECTOR_WIDTH);
      done += batch.length;
      tokens += waiting;
      waiting = 0;
      batch = [];
    };
    for (const text of texts) {
      const ids = this.#pieces.encode(text, MAX_TEXT_TOKENS);
      if (waiting + ids.length > BATCH_TOKENS) await run();
      batch.push(ids);
      waiting += ids.length;
    }
    await run();
    return { vectors, tokens };
  }

  async #run(texts: readonly (readonly number[])[], tokens: number): Promise<Float32Array> {
    const ids = new BigInt64Array(tokens);
    const positions = new Float32Array(tokens * TOKEN_WIDTH);
    const bias = new Float32Array(tokens * tokens).fill(HIDDEN);
    const shares = new Float32Array(texts.length * tokens);
    let start = 0;
    texts.forEach((text, row) => {
      const end = start + text.length;
      ids.set(text.map(BigInt), start);
      positions.set(this.#positions.subarray(0, text.length * TOKEN_WIDTH), start * TOKEN_WIDTH);
      for (let token = start; token < end; token += 1)
        bias.fill(0, token * tokens + start, token * tokens + end);
      shares.fill(1 / text.length, row * tokens + start, row * tokens + end);
      start = end;
    });
    const output = await this.#session.run({
      ids: new Tensor('int64', ids, [tokens]),
      positions: new Tensor('float32', positions, [tokens, TOKEN_WIDTH]),
      bias: new Tensor('float32', bias, [tokens, tokens]),
      shares: new Tensor('float32', shares, [texts.length, tokens]),
    });
    const data = output[this.#session.outputNames[0] ?? '']?.data;
    if (!(data instanceof Float32Array)) throw new TypeError('the encoder gave no numbers');
    return normalised(data);
  }
}

/** Sinusoidal position encoding. */
function positionTable(): Float32Array {
  const waves = TOKEN_WIDTH / 2;
  const table = new Float32Array(MAX_TEXT_TOKENS * TOKEN_WIDTH);
  for (let position = 0; position < MAX_TEXT_TOKENS; position += 1) {
    for (let wave = 0; wave < waves; wave += 1) {
      const angle = position * 10_000 ** (-wave / (waves - 1));
      table[position * TOKEN_WIDTH + wave] = Math.sin(angle);
      table[position * TOKEN_WIDTH + waves + wave] = Math.cos(angle);
    }
  }
  return table;
}

function normalised(vectors: Float32Array): Float32Array {
  for (let start = 0; start < vectors.length; start += VECTOR_WIDTH) {
    const vector = vectors.subarray(start, start + VECTOR_WIDTH);
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
    if (length > 0) vector.set(vector.map((value) => value / length));
  }
  return vectors;
}
