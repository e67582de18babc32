import { type FileHandle, open } from 'node:fs/promises';
import { type GgmlType, readGgufFileInfo } from 'node-llama-cpp';
import { isRecord } from '../../../../lib/json-record.ts';
import { bytesOf, readValues } from './tensor-blocks.ts';

/** A tensor of a model file; `columns` is the length of a row. */
export interface Tensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly type: GgmlType;
  readonly columns: number;
  readonly count: number;
  readonly start: number;
  /** Bytes in the file, with the padding behind it. */
  readonly room: number;
}

/** The tensors of a GGUF file. */
export class TensorFile implements AsyncDisposable {
  readonly tensors: readonly Tensor[];
  /** Everything before the list of tensors: head and metadata. */
  readonly headBytes: number;
  /** The value of `adapter.lora.alpha`. */
  readonly alpha: number | undefined;
  readonly #file: FileHandle;

  private constructor(file: FileHandle, facts: Pick<TensorFile, 'tensors' | 'headBytes' | 'alpha'>) {
    this.#file = file;
    this.tensors = facts.tensors;
    this.headBytes = facts.headBytes;
    this.alpha = facts.alpha;
  }

  static async open(path: string): Promise<TensorFile> {
    const { tensorInfo = [], metadataSize, metadata } = await readGgufFileInfo(path);
    const file = await open(path);
    const { size } = await file.stat();
    const starts = [...tensorInfo.map(({ fileOffset }) => Number(fileOffset)), size].sort((a, b) => a - b);
    const tensors = tensorInfo.map(({ name, dimensions, ggmlType, fileOffset }) => {
      const shape = dimensions.map(Number);
      const start = Number(fileOffset);
      const end = starts.find((other) => other > start) ?? size;
      const count = shape.reduce((product, each) => product * each, 1);
      return { name, shape, type: ggmlType, columns: shape[0] ?? 0, count, start, room: end - start };
    });
    const alpha = Object.entries(metadata).find(([key]) => key === 'adapter')?.[1];
    return new TensorFile(file, { tensors, headBytes: metadataSize, alpha: alphaOf(alpha) });
  }

  tensor(name: string): Tensor | undefined {
    return this.tensors.find((tensor) => tensor.name === name);
  }

  async values({ type, count, start }: Tensor): Promise<Float32Array> {
    return readValues(await this.bytes(start, bytesOf(type, count)), type, count);
  }

  async bytes(start: number, length: number): Promise<Buffer> {
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await this.#file.read(bytes, 0, length, start);
    if (bytesRead !== length) throw new Error('the model file is shorter than it says');
    return bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }
}

function alphaOf(adapter: unknown): number | undefined {
  if (!isRecord(adapter) || !isRecord(adapter.lora)) return undefined;
  return Number(adapter.lora.alpha);
}
