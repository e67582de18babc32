import { z } from 'zod';
import type { FilePage, StoredFile } from '../file-store.ts';

/** A file in the API. */
export const fileSchema = z.object({
  id: z.string(),
  object: z.literal('file'),
  bytes: z.int(),
  created_at: z.int().describe('Unix time in seconds.'),
  expires_at: z.int().describe('When it is deleted; Unix time in seconds.'),
  filename: z.string(),
  purpose: z.string(),
  status: z.literal('processed'),
  status_details: z.null(),
});

/** A page of files. */
export const fileListSchema = z.object({
  object: z.literal('list'),
  data: z.array(fileSchema),
  first_id: z.string().nullable(),
  last_id: z.string().nullable().describe('The `after` of the next page.'),
  has_more: z.boolean(),
});

export function fileObject(file: StoredFile): z.infer<typeof fileSchema> {
  return {
    id: file.id,
    object: 'file',
    bytes: file.sizeBytes,
    created_at: seconds(file.createdAt),
    expires_at: seconds(file.expiresAt),
    filename: file.name,
    purpose: file.purpose,
    status: 'processed',
    status_details: null,
  };
}

export function fileList({ files, hasMore }: FilePage): z.infer<typeof fileListSchema> {
  return {
    object: 'list',
    data: files.map(fileObject),
    first_id: files[0]?.id ?? null,
    last_id: files.at(-1)?.id ?? null,
    has_more: hasMore,
  };
}

/** Unix time in seconds. */
export function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
