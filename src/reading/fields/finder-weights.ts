import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const checksumsSchema = z.object({
  files: z.object({
    'encoder.onnx': fileSchema(),
    'fields.onnx': fileSchema(),
    'vocab.txt': fileSchema(),
    'calibration.json': fileSchema(),
  }),
});
const calibrationSchema = z.object({ temperature: z.number().positive() });

type FinderFile = keyof z.infer<typeof checksumsSchema>['files'];

/** The verified files of the network that finds fields. */
export interface FinderWeights {
  readonly encoder: Uint8Array;
  readonly fields: Uint8Array;
  /** One piece per line. */
  readonly vocabulary: string;
  /** Softens the probabilities. */
  readonly temperature: number;
}

/** The folder of the weights that come with the gateway. */
export function shippedFinderFolder(): string {
  return fileURLToPath(new URL('../../../models/reader/', import.meta.url));
}

/** Reads the weights; a file with a wrong checksum is rejected by name. */
export async function readFinderWeights(folder: string): Promise<FinderWeights> {
  const { files } = checksumsSchema.parse(JSON.parse(await readFile(`${folder}/checksums.json`, 'utf8')));
  const readVerified = async (name: FinderFile) => {
    const bytes = await readFile(`${folder}/${name}`);
    if (createHash('sha256').update(bytes).digest('hex') === files[name].sha256) return bytes;
    throw new Error(
      `models/reader/${name} is damaged: ${bytes.length} of ${files[name].bytes} bytes, or others`,
    );
  };
  const calibration = await readVerified('calibration.json');
  const vocabulary = await readVerified('vocab.txt');
  return {
    encoder: await readVerified('encoder.onnx'),
    fields: await readVerified('fields.onnx'),
    vocabulary: vocabulary.toString('utf8'),
    temperature: calibrationSchema.parse(JSON.parse(calibration.toString('utf8'))).temperature,
  };
}

function fileSchema() {
  return z.object({ bytes: z.int(), sha256: z.string().length(64) });
}
