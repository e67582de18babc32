import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { hasErrorCode } from '../lib/error-code.ts';
import { writeFileAtomically } from '../lib/write-file-atomically.ts';

const manifestSchema = z.object({
  source: z.string(),
  files: z.array(
    z.object({
      name: z.string(),
      sizeBytes: z.number(),
      sha256: z.string(),
      /** If size and mtime are unchanged, the file is not hashed again. */
      modifiedMs: z.number(),
    }),
  ),
});

/** Facts about a model's installed files, stored next to them. */
export type ModelManifest = Readonly<z.infer<typeof manifestSchema>>;

export type ManifestFile = Readonly<ModelManifest['files'][number]>;

/** Reads a manifest; a missing or damaged one is treated as absent, and the files are hashed. */
export async function readManifest(path: string): Promise<ModelManifest | undefined> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || hasErrorCode(error, 'ENOENT'))
      return undefined;
    throw error;
  }
}

/** Writes a manifest atomically. */
export async function writeManifest(path: string, manifest: ModelManifest): Promise<void> {
  await writeFileAtomically(path, `${JSON.stringify(manifest, null, 2)}\n`, 0o600);
}
