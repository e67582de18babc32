import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
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

const CHUNK_BYTES = 2 ** 20;

type FinderFile = keyof z.infer<typeof checksumsSchema>['files'];

/** The verified files of the network that finds fields. */
export interface FinderWeights {
  /** Paths of the networks: their runtime maps the files, so that they are not in memory twice. */
  readonly encoder: string;
  readonly fields: string;
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
  const verified = async (name: FinderFile) => {
    const path = `${folder}/${name}`;
    if ((await checksumOf(path)) === files[name].sha256) return path;
    throw new Error(`models/reader/${name} is damaged: not the ${files[name].bytes} bytes that it had`);
  };
  const calibration: unknown = JSON.parse(await readFile(await verified('calibration.json'), 'utf8'));
  return {
    encoder: await verified('encoder.onnx'),
    fields: await verified('fields.onnx'),
    vocabulary: await readFile(await verified('vocab.txt'), 'utf8'),
    temperature: calibrationSchema.parse(calibration).temperature,
  };
}

/** Through one small buffer: the memory of the process counts. */
async function checksumOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(CHUNK_BYTES);
  await using file = await open(path);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES);
    if (bytesRead === 0) return hash.digest('hex');
    hash.update(buffer.subarray(0, bytesRead));
  }
}

function fileSchema() {
  return z.object({ bytes: z.int(), sha256: z.string().length(64) });
}
