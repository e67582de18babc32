import { and, asc, desc, eq, gt, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm';
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { GalleryPage, GalleryQuery, NewImage, StoredImage } from '../images/gallery.ts';
import { cursorOf, parseCursor } from '../images/gallery-cursor.ts';
import { images } from './schema.ts';

/** What is known of an image's bytes. */
export interface ImageBytes {
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** The rows of kept images. An image whose time is over is not there any more, though its row may be. */
export class ImageRecords {
  readonly #database: NodePgDatabase;

  constructor(pool: pg.Pool) {
    this.#database = drizzle(pool);
  }

  async insert(image: NewImage, bytes: ImageBytes, retentionDays: number): Promise<StoredImage> {
    const { png: _png, ...values } = image;
    const now = sql`date_trunc('milliseconds', now())`;
    const [stored] = await this.#database
      .insert(images)
      .values({
        ...values,
        ...bytes,
        createdAt: now,
        expiresAt: sql`${now} + make_interval(days => ${retentionDays}::integer)`,
      })
      .returning();
    if (stored === undefined) throw new Error('keeping an image returned no row');
    return stored;
  }

  async find(stackId: string, id: string): Promise<StoredImage | undefined> {
    const [image] = await this.#database
      .select()
      .from(images)
      .where(and(eq(images.stackId, stackId), eq(images.id, id), isThere));
    return image;
  }

  /** An image of any stack, for operators. */
  async findAnywhere(id: string): Promise<StoredImage | undefined> {
    const [image] = await this.#database
      .select()
      .from(images)
      .where(and(eq(images.id, id), isThere));
    return image;
  }

  /** One page, newest first; one row more than asked for tells whether there is another. */
  async list(query: GalleryQuery): Promise<GalleryPage> {
    const rows = await this.#database
      .select()
      .from(images)
      .where(and(...conditionsOf(query), isThere))
      .orderBy(desc(images.createdAt), desc(images.id))
      .limit(query.limit + 1);
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    return { images: page, nextCursor: rows.length > page.length && last ? cursorOf(last) : undefined };
  }

  /** Ends the time of an image, from when on nobody sees it; false when the stack has no such image. */
  async expire(stackId: string, id: string): Promise<boolean> {
    const expired = await this.#database
      .update(images)
      .set({ expiresAt: sql`now()` })
      .where(and(eq(images.stackId, stackId), eq(images.id, id), isThere))
      .returning({ id: images.id });
    return expired.length > 0;
  }

  /** Images whose time is over. */
  async expired(limit: number): Promise<readonly string[]> {
    const rows = await this.#database
      .select({ id: images.id })
      .from(images)
      .where(lte(images.expiresAt, sql`now()`))
      .orderBy(asc(images.expiresAt))
      .limit(limit);
    return rows.map(({ id }) => id);
  }

  /** Removes rows, whether their time is over or not. */
  async remove(ids: readonly string[]): Promise<void> {
    await this.#database.delete(images).where(inArray(images.id, [...ids]));
  }

  /** The names after the given one that start with the prefix, in order, and when each image was made. */
  async names(
    prefix: string,
    { after, limit }: { readonly after: string; readonly limit: number },
  ): Promise<readonly { readonly id: string; readonly createdAt: Date }[]> {
    return await this.#database
      .select({ id: images.id, createdAt: images.createdAt })
      .from(images)
      // The rest of a name is hexadecimal digits, which come before 'g'.
      .where(and(gt(images.id, after), gt(images.id, prefix), lt(images.id, `${prefix}g`)))
      .orderBy(asc(images.id))
      .limit(limit);
  }
}

const isThere = gt(images.expiresAt, sql`now()`);

function conditionsOf({ stackId, keyId, createdFrom, createdBefore, cursor }: GalleryQuery): readonly SQL[] {
  return [
    eq(images.stackId, stackId),
    ...(keyId === undefined ? [] : [eq(images.keyId, keyId)]),
    ...(createdFrom === undefined ? [] : [gte(images.createdAt, createdFrom)]),
    ...(createdBefore === undefined ? [] : [lt(images.createdAt, createdBefore)]),
    ...(cursor === undefined ? [] : [afterCursor(cursor)]),
  ];
}

function afterCursor(cursor: string): SQL {
  const { createdAt, id } = parseCursor(cursor);
  return sql`(${images.createdAt}, ${images.id}) < (${createdAt.toISOString()}::timestamptz, ${id})`;
}
