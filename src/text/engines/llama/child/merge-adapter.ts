import { createHash, type Hash, randomUUID } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { GgmlType } from 'node-llama-cpp';
import { fileSha256 } from '../../../../catalogue/file-sha256.ts';
import { bytesOf, writeQ8 } from './tensor-blocks.ts';
import { type Tensor, TensorFile } from './tensor-file.ts';

const ALIGNMENT = 32;
const ROWS_AT_ONCE = 4;

export interface Merge {
  readonly modelPath: string;
  readonly adapterPath: string;
  readonly targetPath: string;
}

/** A tensor as it will stand in the merged file. */
interface Planned {
  readonly tensor: Tensor;
  readonly isAdapted: boolean;
  readonly type: GgmlType;
  readonly offset: number;
  readonly bytes: number;
}

/**
 * Writes a model file in which the adapter is part of the weights. Weights that the adapter changes become Q8_0: four bits
 * would lose much of what it learned. The target appears whole and verified, or not at all.
 */
export async function mergeAdapter({ modelPath, adapterPath, targetPath }: Merge): Promise<void> {
  await using model = await TensorFile.open(modelPath);
  await using adapter = await TensorFile.open(adapterPath);
  const plan = planOf(model, adapter);
  // Two containers with one volume may have the same process id.
  const aside = `${targetPath}.${randomUUID()}.tmp`;
  const file = await open(aside, 'wx', 0o600);
  try {
    const written = await writeAside(file, { model, adapter, plan });
    if ((await fileSha256(aside)) !== written)
      throw new Error('the merged model was not written as it should be');
    await rename(aside, targetPath);
  } finally {
    await rm(aside, { force: true });
  }
}

function planOf(model: TensorFile, adapter: TensorFile): readonly Planned[] {
  const adapted = new Set(
    adapter.tensors.map(({ name }) => name.replace(/\.lora_[ab]$/, '')).filter((name) => model.tensor(name)),
  );
  if (adapted.size * 2 !== adapter.tensors.length) throw new Error('the adapter belongs to another model');
  let offset = 0;
  return model.tensors.map((tensor) => {
    const isAdapted = adapted.has(tensor.name);
    const type = isAdapted ? GgmlType.Q8_0 : tensor.type;
    const bytes = isAdapted ? aligned(bytesOf(type, tensor.count)) : aligned(tensor.room);
    const planned = { tensor, isAdapted, type, offset, bytes };
    offset += bytes;
    return planned;
  });
}

interface Work {
  readonly model: TensorFile;
  readonly adapter: TensorFile;
  readonly plan: readonly Planned[];
}

/** Writes the file and closes it. The hash of what was written. */
async function writeAside(opened: FileHandle, { model, adapter, plan }: Work): Promise<string> {
  await using file = opened;
  const output = new HashedFile(file);
  await output.write(await model.bytes(0, model.headBytes));
  await output.write(Buffer.concat(plan.map(description)));
  await output.pad(aligned(output.length));
  for (const { tensor, isAdapted, bytes } of plan) {
    const end = output.length + bytes;
    await output.write(
      isAdapted ? await mergedTensor(tensor, model, adapter) : await model.bytes(tensor.start, tensor.room),
    );
    await output.pad(end);
  }
  await file.sync();
  return output.digest();
}

/** W + alpha / rank · B · A, row by row. */
async function mergedTensor(tensor: Tensor, model: TensorFile, adapter: TensorFile): Promise<Buffer> {
  const { name, columns, count } = tensor;
  const [a, b] = [adapter.tensor(`${name}.lora_a`), adapter.tensor(`${name}.lora_b`)];
  const rank = b?.columns ?? 0;
  if (a === undefined || b === undefined || a.columns !== columns || b.count !== (count / columns) * rank)
    throw new Error(`the adapter does not fit ${name}`);
  const [weights, down, up] = [await model.values(tensor), await adapter.values(a), await adapter.values(b)];
  const scale = (adapter.alpha ?? rank) / rank;
  const merged = Buffer.alloc(bytesOf(GgmlType.Q8_0, count));
  const rowBytes = bytesOf(GgmlType.Q8_0, columns);
  for (let row = 0; row < count / columns; row += 1) {
    const values = weights.subarray(row * columns, (row + 1) * columns);
    for (let inner = 0; inner < rank; inner += ROWS_AT_ONCE)
      addRows(values, down.subarray(inner * columns), (index) =>
        inner + index < rank ? (up[row * rank + inner + index] ?? 0) * scale : 0,
      );
    writeQ8(values, merged, row * rowBytes);
  }
  return merged;
}

/** Adds four rows at once, each times its factor: in half the time of one after the other. */
function addRows(values: Float32Array, rows: Float32Array, factorOf: (index: number) => number): void {
  const columns = values.length;
  const [one, two, three, four] = [factorOf(0), factorOf(1), factorOf(2), factorOf(3)];
  for (let column = 0; column < columns; column += 1) {
    values[column] =
      (values[column] ?? 0) +
      one * (rows[column] ?? 0) +
      two * (rows[column + columns] ?? 0) +
      three * (rows[column + 2 * columns] ?? 0) +
      four * (rows[column + 3 * columns] ?? 0);
  }
}

/** The entry of a tensor in the list of a GGUF file. */
function description({ tensor: { name, shape }, type, offset }: Planned): Buffer {
  const text = Buffer.from(name);
  const entry = Buffer.alloc(8 + text.length + 4 + shape.length * 8 + 4 + 8);
  let at = entry.writeBigUInt64LE(BigInt(text.length));
  at += text.copy(entry, at);
  at = entry.writeUInt32LE(shape.length, at);
  for (const size of shape) at = entry.writeBigUInt64LE(BigInt(size), at);
  at = entry.writeUInt32LE(type, at);
  entry.writeBigUInt64LE(BigInt(offset), at);
  return entry;
}

function aligned(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

class HashedFile {
  length = 0;
  readonly #file: FileHandle;
  readonly #hash: Hash = createHash('sha256');

  constructor(file: FileHandle) {
    this.#file = file;
  }

  async write(bytes: Buffer): Promise<void> {
    // Not `write`: on a disk that fills up, it writes a part and does not fail.
    await this.#file.writeFile(bytes);
    this.#hash.update(bytes);
    this.length += bytes.length;
  }

  async pad(length: number): Promise<void> {
    await this.write(Buffer.alloc(length - this.length));
  }

  digest(): string {
    return this.#hash.digest('hex');
  }
}
