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
      /** While size and time stay, the file is not hashed again. */
      modifiedMs: z.number(),
    }),
  ),
});

/** What is known of the installed files of a model, beside them on the disk. */
export type ModelManifest = Readonly<z.infer<typeof manifestSchema>>;

/** What is known of one installed file. */
export type ManifestFile = Readonly<ModelManifest['files'][number]>;

/** Reads a manifest; one that is missing or damaged counts as none, and the files are then judged by themselves. */
export async function readManifest(path: string): Promise<ModelManifest | undefined> {
  try {
    return manifestSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || hasErrorCode(error, 'ENOENT'))
      return undefined;
    throw error;
  }
}

/** Writes a manifest whole or not at all. */
export async function writeManifest(path: string, manifest: ModelManifest): Promise<void> {
  await writeFileAtomically(path, `${JSON.stringify(manifest, null, 2)}\n`, 0o600);
}
