/** A value of a file: key, type (in a list for an array) and value. */
export type GgufValue = readonly [key: string, type: string | readonly string[], value: unknown];

export interface GgufTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** The bytes of a model file. */
export declare function ggufBytes(content: {
  readonly values: readonly GgufValue[];
  readonly tensors: readonly GgufTensor[];
}): Buffer;
