import type { EncoderWeights } from './encoder-weights.ts';
import { OnnxModel } from './onnx-model.ts';

/** Width of a token embedding. */
export const TOKEN_WIDTH = 256;
/** Width of an output vector. */
export const VECTOR_WIDTH = 512;
const INNER_WIDTH = 1536;
const HEADS = 4;
// Seven bits: with eight, processors without VNNI saturate when they add two products.
const LARGEST_BYTE = 63;
const FLOAT = 1;

/**
 * The sentence encoder (a transformer of two layers) as an ONNX model. Tokens of several texts share one row without padding:
 * `bias` masks the other texts, `shares` averages each text.
 */
export function encoderGraph(weights: EncoderWeights): Buffer {
  const graph = new GraphBuilder(weights);
  const { model } = graph;
  // The encoder adds each embedding twice.
  const embeddings = weights.named('module/Embeddings_en').map((value) => value * 2);
  const table = model.tensor('tokens', {
    shape: [embeddings.length / TOKEN_WIDTH, TOKEN_WIDTH],
    data: embeddings,
  });
  const first = model.step('Add', [model.step('Gather', [table, 'ids']), 'positions']);
  const residual = graph.dense(first, 'Layer_0/TransformerLayer/dense', [TOKEN_WIDTH, VECTOR_WIDTH]);
  const second = graph.layer({ input: first, residual, name: 'Layer_0', width: TOKEN_WIDTH });
  const last = graph.layer({ input: second, residual: second, name: 'Layer_1', width: VECTOR_WIDTH });
  const means = model.step('MatMul', ['shares', last]);
  model.step('Tanh', [graph.tanhLayer(means)]);
  return model.bytes(
    [
      { name: 'ids', type: 'int64', shape: ['tokens'] },
      { name: 'positions', type: 'float32', shape: ['tokens', TOKEN_WIDTH] },
      { name: 'bias', type: 'float32', shape: ['tokens', 'tokens'] },
      { name: 'shares', type: 'float32', shape: ['texts', 'tokens'] },
    ],
    { type: 'float32', shape: ['texts', VECTOR_WIDTH] },
  );
}

class GraphBuilder {
  readonly model = new OnnxModel();
  readonly #weights: EncoderWeights;

  constructor(weights: EncoderWeights) {
    this.#weights = weights;
  }

  layer({ input, residual, name, width }: { input: string; residual: string; name: string; width: number }) {
    const path = `${name}/TransformerLayer`;
    const attended = this.#attention(this.#normalise(input, path, width), path, width);
    const middle = this.model.step('Add', [attended, residual]);
    const normal = this.#normalise(middle, `${path}/FFN`, VECTOR_WIDTH);
    const wide = this.#feedForward(normal, `${path}/FFN/conv1`, [VECTOR_WIDTH, INNER_WIDTH]);
    const narrow = this.#feedForward(this.model.step('Relu', [wide]), `${path}/FFN/conv2`, [
      INNER_WIDTH,
      VECTOR_WIDTH,
    ]);
    return this.model.step('Add', [narrow, middle]);
  }

  dense(input: string, path: string, shape: readonly [number, number]): string {
    const kernel = this.#weights.named(`${path}/kernel/ConcatPartitions/concat`);
    return this.#linear(input, { path, shape, kernel, bias: this.#bias(path) });
  }

  tanhLayer(input: string): string {
    const path = 'Encoder_en/hidden_layers/tanh_layer_0';
    const shape = [VECTOR_WIDTH, VECTOR_WIDTH] as const;
    const kernel = this.#weights.named(`${path}/weights`);
    return this.#linear(input, { path, shape, kernel, bias: this.#weights.named(`${path}/bias`) });
  }

  #feedForward(input: string, path: string, shape: readonly [number, number]): string {
    const kernel = this.#weights.named(`TransformerStack/${path}/Tensordot/Reshape_1`);
    return this.#linear(input, { path, shape, kernel, bias: this.#bias(path) });
  }

  #attention(input: string, path: string, width: number): string {
    const { model } = this;
    const all = this.#transform(input, `${path}/MultiheadAttention/qkv_transform_single`, [width, 3 * width]);
    const [queries = '', keys = '', values = ''] = model.steps('Split', [all], {
      outputs: 3,
      attributes: { axis: 1 },
    });
    const scale = model.tensor(`${path}/scale`, {
      shape: [],
      data: Float32Array.of((width / HEADS) ** -0.5),
    });
    const asked = model.step('Mul', [this.#heads(queries, width, [1, 0, 2]), scale]);
    const scores = model.step('MatMul', [asked, this.#heads(keys, width, [1, 2, 0])]);
    const shares = model.step('Softmax', [model.step('Add', [scores, 'bias'])], { axis: -1 });
    const mixed = model.step('MatMul', [shares, this.#heads(values, width, [1, 0, 2])]);
    const rows = model.step('Transpose', [mixed], { perm: [1, 0, 2] });
    const joined = model.step('Reshape', [rows, this.#shape([-1, width])]);
    return this.#transform(joined, `${path}/MultiheadAttention/output_transform_single`, [
      width,
      VECTOR_WIDTH,
    ]);
  }

  #heads(input: string, width: number, perm: readonly number[]): string {
    const split = this.model.step('Reshape', [input, this.#shape([-1, HEADS, width / HEADS])]);
    return this.model.step('Transpose', [split], { perm });
  }

  #transform(input: string, path: string, shape: readonly [number, number]): string {
    const kernel = this.#weights.named(`${path}/kernel/part_0`);
    return this.#linear(input, { path, shape, kernel, bias: this.#bias(path) });
  }

  #normalise(input: string, path: string, width: number): string {
    const norm = `${path}/layer_prepostprocess/layer_norm`;
    const part = (name: string) =>
      this.model.tensor(`${norm}/${name}`, {
        shape: [width],
        data: this.#weights.named(`Encode/${norm}/${name}/ConcatPartitions/concat`),
      });
    return this.model.step('LayerNormalization', [input, part('layer_norm_scale'), part('layer_norm_bias')], {
      axis: -1,
      epsilon: 1e-6,
    });
  }

  #linear(
    input: string,
    {
      path,
      shape,
      kernel,
      bias,
    }: { path: string; shape: readonly [number, number]; kernel: Float32Array; bias: Float32Array },
  ): string {
    const product = this.#product(input, { path, shape, kernel });
    return this.model.step('Add', [
      product,
      this.model.tensor(`${path}/bias`, { shape: [shape[1]], data: bias }),
    ]);
  }

  /** Product with an int8 matrix with a scale per column; twice as fast as floats. */
  #product(
    input: string,
    { path, shape, kernel }: { path: string; shape: readonly [number, number]; kernel: Float32Array },
  ): string {
    const { model } = this;
    const { data, scales } = quantiseColumns(kernel, shape);
    const matrix = model.tensor(`${path}/kernel`, { shape, data });
    const columnScales = model.tensor(`${path}/scales`, { shape: [shape[1]], data: scales });
    const [rows = '', rowScale = '', zero = ''] = model.steps('DynamicQuantizeLinear', [input], {
      outputs: 3,
    });
    const sums = model.step('Cast', [model.step('MatMulInteger', [rows, matrix, zero])], { to: FLOAT });
    return model.step('Mul', [sums, model.step('Mul', [columnScales, rowScale])]);
  }

  #bias(path: string): Float32Array {
    return this.#weights.named(`Encode/${path}/bias/ConcatPartitions/concat`);
  }

  #shape(sizes: readonly number[]): string {
    const data = BigInt64Array.from(sizes, BigInt);
    return this.model.tensor(`shape ${sizes.join(' ')}`, { shape: [sizes.length], data });
  }
}

function quantiseColumns(kernel: Float32Array, [rows, columns]: readonly [number, number]) {
  const scales = new Float32Array(columns);
  const data = new Int8Array(kernel.length);
  for (let column = 0; column < columns; column += 1) {
    let largest = 0;
    for (let row = 0; row < rows; row += 1)
      largest = Math.max(largest, Math.abs(kernel[row * columns + column] ?? 0));
    const scale = largest / LARGEST_BYTE || 1;
    scales[column] = scale;
    for (let row = 0; row < rows; row += 1) {
      const index = row * columns + column;
      data[index] = Math.round((kernel[index] ?? 0) / scale);
    }
  }
  return { data, scales };
}
