import { cp, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { adapterName, adapterOf, verifiedAdapter } from './built-in-adapter.ts';

const shipped = new URL('../../../../models/assistant/', import.meta.url).pathname;
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

describe('the built-in adapter', () => {
  it('is whole, and at most 15 MB', async () => {
    const { path } = await verifiedAdapter(shipped);
    expect((await stat(path)).size).toBeLessThanOrEqual(15_000_000);
  });

  it('is refused by name if it is damaged', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'stackgate-adapter-'));
    folders.push(folder);
    await cp(join(shipped, 'checksums.json'), join(folder, 'checksums.json'));
    await writeFile(join(folder, 'assistant.gguf'), 'GGUF');
    await expect(verifiedAdapter(folder)).rejects.toThrow(
      'models/assistant/assistant.gguf is damaged: 4 of ',
    );
  });

  it('is used for the default model alone; a path is used for any', () => {
    expect(adapterOf({ adapter: 'built-in', model: 'smollm2-135m-instruct' })).toEqual({
      kind: 'built-in',
      folder: shipped,
    });
    expect(adapterName({ adapter: 'built-in', model: 'qwen3-4b' })).toBeUndefined();
    expect(adapterName({ adapter: 'none', model: 'smollm2-135m-instruct' })).toBeUndefined();
    expect(adapterName({ adapter: '/own.gguf', model: 'qwen3-4b' })).toBe('/own.gguf');
  });
});
