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

/** One thread, because pages run in parallel in processes of their own; no arena, so that the memory of a large page is given back. */
const SESSION_OPTIONS: onnx.InferenceSession.SessionOptions = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  enableCpuMemArena: false,
  enableMemPattern: false,
};

/** Loads a model. */
export async function openOnnxSession(path: string): Promise<OnnxSession> {
  const session = await onnx.InferenceSession.create(path, SESSION_OPTIONS);
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
