import { z } from 'zod';
import { Fault } from '../../faults/fault.ts';
import type { FileDescription } from '../file-service.ts';
import { fileNameOf, readPurpose } from './read-file-form.ts';

/** The body that announces a file. */
export const uploadRequestSchema = z.object({
  filename: z.string(),
  bytes: z.int().min(1).describe('The size of the file; it may have fewer bytes, but no more.'),
  purpose: z.string().nullish().describe('Any word; `user_data` where absent.'),
});

/** Parses the announcement of a file. */
export function readUploadRequest(body: unknown): FileDescription & { readonly sizeBytes: number } {
  const { success, data, error } = uploadRequestSchema.safeParse(body);
  if (success) {
    const { filename, bytes, purpose } = data;
    return { name: fileNameOf(filename), purpose: readPurpose(purpose ?? undefined), sizeBytes: bytes };
  }
  const param = String(error.issues[0]?.path[0] ?? 'filename');
  const message =
    'Announce a file by `filename`, a string, and `bytes`, its size, an integer from 1; `purpose` is a string.';
  throw new Fault('invalid-request', message, { param });
}
