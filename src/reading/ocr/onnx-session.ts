import * as onnx from 'onnxruntime-node';

/** A model with one input and one output tensor. */
export interface OnnxSession {
  run(data: Float32Array, shape: readonly number[]): Promise<OnnxOutput>;
}

export interface OnnxOutput {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

export interface OnnxSessionOptions {
  /** Saves a tenth of the time; for models with small inputs only, since a run's memory is kept. */
  readonly keepsMemory: boolean;
}

/** Loads a model for one thread: parallelism comes from child processes. */
export async function openOnnxSession(
  path: string,
  { keepsMemory }: OnnxSessionOptions,
): Promise<OnnxSession> {
  const session = await onnx.InferenceSession.create(path, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: keepsMemory,
    enableMemPattern: false,
  });
  const [input = ''] = session.inputNames;
  const [output = ''] = session.outputNames;
  return {
    async run(data, shape) {
      const result = await session.run({ [input]: new onnx.Tensor('float32', data, shape) });
      const tensor = result[output];
      if (!tensor || !(tensor.data instanceof Float32Array)) throw new TypeError(`${path} gave no numbers`);
      return { data: tensor.data, shape: tensor.dims };
    },
  };
}
