import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GgufValue, ggufBytes } from '../../../../../testing/tiny-model/gguf-writer.mjs';
import { adaptedWeights } from './adapted-weights.ts';
import { TensorFile } from './tensor-file.ts';

const [ROWS, COLUMNS, RANK] = [64, 32, 2];
const NAME = 'blk.0.attn_q.weight';
const numbers = (count: number, factor: number) =>
  Float32Array.from({ length: count }, (_, index) => Math.sin(index * factor));
const weights = numbers(ROWS * COLUMNS, 0.7);
const down = numbers(RANK * COLUMNS, 0.3);
const up = numbers(ROWS * RANK, 1.1);
const values: readonly GgufValue[] = [['general.architecture', 'string', 'llama']];
let folder: string;
let modelPath: string;

async function writeAdapter(name: string, alpha: number): Promise<void> {
  const tensors = [
    { name: `${name}.lora_a`, shape: [COLUMNS, RANK], data: down },
    { name: `${name}.lora_b`, shape: [RANK, ROWS], data: up },
  ];
  const bytes = ggufBytes({ values: [...values, ['adapter.lora.alpha', 'f32', alpha]], tensors });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const files = { 'assistant.gguf': { bytes: bytes.length, sha256 } };
  await writeFile(join(folder, 'assistant.gguf'), bytes);
  await writeFile(join(folder, 'checksums.json'), JSON.stringify({ files }));
}

const merged = async () => (await adaptedWeights(modelPath, { kind: 'built-in', folder })).modelPath;
const mergedNames = () => readdirSync(folder).filter((name) => name.startsWith('merged-'));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'stackgate-merge-'));
  modelPath = join(folder, 'base.gguf');
  const tensors = [
    { name: 'output_norm.weight', shape: [3], data: numbers(3, 2) },
    { name: NAME, shape: [COLUMNS, ROWS], data: weights },
  ];
  await writeFile(modelPath, ggufBytes({ values, tensors }));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('weights with the built-in adapter', () => {
  it('are W + alpha / rank · B · A in the merged file, and the others are as they were', async () => {
    await writeAdapter(NAME, 4);
    await using file = await TensorFile.open(await merged());
    const [norm, changed] = file.tensors;
    if (norm === undefined || changed === undefined) throw new Error('a tensor is missing');
    expect([...(await file.values(norm))]).toEqual([...numbers(3, 2)]);
    const found = await file.values(changed);
    for (const [at, value] of found.entries()) {
      const [row, column] = [Math.floor(at / COLUMNS), at % COLUMNS];
      let wanted = weights[at] ?? 0;
      for (let inner = 0; inner < RANK; inner += 1)
        wanted += 2 * (up[row * RANK + inner] ?? 0) * (down[inner * COLUMNS + column] ?? 0);
      expect(Math.abs(value - wanted)).toBeLessThan(0.03);
    }
  });

  it('are merged once, and again when the adapter changes; the old file goes', async () => {
    await writeAdapter(NAME, 4);
    const first = await merged();
    expect(await merged()).toBe(first);
    await writeAdapter(NAME, 2);
    const second = await merged();
    expect(second).not.toBe(first);
    expect(mergedNames().map((name) => join(folder, name))).toEqual([second]);
  });

  it('are merged by two that begin at the same time, each in a file of its own', async () => {
    await writeAdapter(NAME, 8);
    const [one, other] = await Promise.all([merged(), merged()]);
    expect(other).toBe(one);
    expect(mergedNames().map((name) => join(folder, name))).toEqual([one]);
    await using file = await TensorFile.open(one);
    expect(file.tensors).toHaveLength(2);
  });

  it('are not merged with the adapter of another model, and leave nothing behind', async () => {
    await writeAdapter('blk.9.attn_q.weight', 4);
    await expect(merged()).rejects.toThrow('another model');
    expect(mergedNames()).toEqual([]);
  });
});
