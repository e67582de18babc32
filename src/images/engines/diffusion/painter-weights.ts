import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const checksumsSchema = z.object({
  files: z.object({
    'lexicon.json': fileSchema(),
    'painter.onnx': fileSchema(),
    'upsampler.onnx': fileSchema(),
  }),
});

type WeightFile = keyof z.infer<typeof checksumsSchema>['files'];

/** The verified files of the painter. */
export interface PainterWeights {
  readonly lexicon: string;
  readonly painter: Uint8Array;
  readonly upsampler: Uint8Array;
}

export function shippedWeightsFolder(): string {
  return fileURLToPath(new URL('../../../../models/painter/', import.meta.url));
}

/** Reads the weights; a file with a wrong checksum is rejected by name. */
export async function readPainterWeights(folder: string): Promise<PainterWeights> {
  const { files } = checksumsSchema.parse(JSON.parse(await readFile(`${folder}/checksums.json`, 'utf8')));
  const readVerified = async (name: WeightFile) => {
    const bytes = await readFile(`${folder}/${name}`);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (sha256 !== files[name].sha256) {
      throw new Error(
        `models/painter/${name} is damaged: ${bytes.length} of ${files[name].bytes} bytes, or others`,
      );
    }
    return bytes;
  };
  const lexicon = await readVerified('lexicon.json');
  return {
    lexicon: lexicon.toString('utf8'),
    painter: await readVerified('painter.onnx'),
    upsampler: await readVerified('upsampler.onnx'),
  };
}

function fileSchema() {
  return z.object({ bytes: z.int(), sha256: z.string().length(64) });
}
