import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { DEFAULT_TEXT_MODEL } from '../../../catalogue/catalogue-data.ts';
import type { RecommendedSampling } from '../../../catalogue/catalogue-entry.ts';
import type { LlamaConfig } from '../../../config/config.ts';

const FILE_NAME = 'assistant.gguf';
const checksumsSchema = z.object({
  files: z.object({ [FILE_NAME]: z.object({ bytes: z.int(), sha256: z.string().length(64) }) }),
});

/** An adapter on the weights: that of the gateway, or a file of the operator. */
export type Adapter =
  | { readonly kind: 'built-in'; readonly folder: string }
  | { readonly kind: 'file'; readonly path: string };

/** The adapter of an engine. The built-in one fits the default model only. */
export function adapterOf({ adapter, model }: Pick<LlamaConfig, 'adapter' | 'model'>): Adapter | undefined {
  if (adapter === 'none') return undefined;
  if (adapter !== 'built-in') return { kind: 'file', path: adapter };
  return model === DEFAULT_TEXT_MODEL ? { kind: 'built-in', folder: shippedFolder() } : undefined;
}

/** The adapter for people: `built-in` or its path; undefined if there is none. */
export function adapterName(config: Pick<LlamaConfig, 'adapter' | 'model'>): string | undefined {
  const adapter = adapterOf(config);
  return adapter?.kind === 'file' ? adapter.path : adapter?.kind;
}

/** The sampling of the default model with the built-in adapter. */
export const adaptedSampling: RecommendedSampling = {
  temperature: 0.2,
  markupTemperature: 0,
  minP: 0.1,
  dry: { strength: 0.8, lastTokens: 256, breakers: [':', '"', '*'] },
};

/** The path and hash of the built-in adapter; rejects if the file is damaged. */
export async function verifiedAdapter(
  folder: string,
): Promise<{ readonly path: string; readonly sha256: string }> {
  const { files } = checksumsSchema.parse(JSON.parse(await readFile(join(folder, 'checksums.json'), 'utf8')));
  const expected = files[FILE_NAME];
  const path = join(folder, FILE_NAME);
  const content = await readFile(path);
  const sha256 = createHash('sha256').update(content).digest('hex');
  if (sha256 !== expected.sha256) {
    throw new Error(
      `models/assistant/${FILE_NAME} is damaged: ${content.length} of ${expected.bytes} bytes, or others`,
    );
  }
  return { path, sha256 };
}

function shippedFolder(): string {
  return fileURLToPath(new URL('../../../../models/assistant/', import.meta.url));
}
