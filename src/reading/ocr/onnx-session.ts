import * as onnx from 'onnxruntime-node';

/** A model that takes one tensor and gives one. */
export interface OnnxSession {
  run(data: Float32Array, shape: readonly number[]): Promise<OnnxOutput>;
}

/** What a model gives. */
export interface OnnxOutput {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

/** How a model is run. */
export interface OnnxSessionOptions {
  /** Saves a tenth of the time, and is for models whose input is never large: what one run took is kept for the next. */
  readonly keepsMemory: boolean;
}

/** Loads a model, for one thread, because pages run in parallel in processes of their own. */
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
