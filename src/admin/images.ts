import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { GalleryQuery, StoredImage } from '../images/gallery.ts';
import { errorCode } from '../lib/error-code.ts';
import { blobKeyOf } from '../store/image-blobs.ts';
import { ImageRecords } from '../store/image-records.ts';
import { OperatorError } from './operator-error.ts';
import type { OperatorStorage } from './operator-storage.ts';

const PAGE = 100;

/** The images of a stack, newest first, up to a number of them. */
export async function* listImages(
  pool: pg.Pool,
  { limit, ...query }: GalleryQuery,
): AsyncGenerator<StoredImage> {
  const records = new ImageRecords(pool);
  let cursor: string | undefined;
  for (let left = limit; left > 0; ) {
    const page = await records.list({ ...query, limit: Math.min(PAGE, left), ...(cursor && { cursor }) });
    yield* page.images;
    left -= page.images.length;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
  }
}

/** An image of any stack. */
export async function showImage(pool: pg.Pool, id: string): Promise<StoredImage> {
  const image = await new ImageRecords(pool).findAnywhere(id);
  if (image === undefined) {
    throw new OperatorError(`there is no image "${id}"; "stackgate images list <stack>" shows them`);
  }
  return image;
}

/** Writes the PNG of an image to a folder; returns its path, which must not exist yet. */
export async function exportImage(
  image: StoredImage,
  folder: string,
  storage: OperatorStorage,
): Promise<string> {
  const bytes = await storage.blobs.get(blobKeyOf(image.id), storage.signal);
  if (bytes === undefined) throw new OperatorError(`the bytes of image "${image.id}" are gone`);
  if (createHash('sha256').update(bytes).digest('hex') !== image.sha256)
    throw new OperatorError(`the bytes of image "${image.id}" are not those that were stored`);
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${image.id}.png`);
  await writeNewFile(path, bytes);
  return path;
}

/** Atomic, and never overwrites another file. */
async function writeNewFile(path: string, bytes: Uint8Array): Promise<void> {
  const aside = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
    } finally {
      await file.close();
    }
    await link(aside, path);
  } catch (error) {
    const code = errorCode(error) ?? String(error);
    throw new OperatorError(`${path} cannot be written: ${code}`);
  } finally {
    await rm(aside, { force: true });
  }
}
