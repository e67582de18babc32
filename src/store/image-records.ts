import type pg from 'pg';
import { z } from 'zod';
import type { GalleryPage, GalleryQuery, NewImage, StoredImage } from '../images/gallery.ts';
import { cursorOf, parseCursor } from '../images/gallery-cursor.ts';
import { BlobRows } from './blob-rows.ts';
import { execute, findRow, queryRow, queryRows, wholeNumber } from './query.ts';
import { joined, type Sql, sql } from './sql.ts';

/** A row of `images`, as `IMAGE` selects it. */
export const imageRow = z.object({
  id: z.string(),
  accountId: z.string(),
  stackId: z.string(),
  keyId: z.string(),
  route: z.enum(['generations', 'edits']),
  model: z.string(),
  prompt: z.string(),
  width: z.number(),
  height: z.number(),
  steps: z.number(),
  guidanceScale: z.number(),
  // An unsigned 64-bit integer, which a number cannot hold.
  seed: z.string().transform(BigInt),
  references: z.number(),
  unknownWords: z.array(z.string()).nullable(),
  sizeBytes: wholeNumber,
  sha256: z.string(),
  createdAt: z.date(),
  expiresAt: z.date(),
});

const imageWithParents = imageRow.extend({ parents: z.array(z.string()) });

/** A stored image and the stored images that it was painted from. */
export type ImageWithParents = Readonly<z.infer<typeof imageWithParents>>;

export interface ImagesAnywhere {
  readonly stackId?: string | undefined;
  /** The last image of the page before. */
  readonly after?: { readonly createdAt: string; readonly id: string } | undefined;
  readonly limit: number;
}

/** Size and checksum of an image's bytes. */
export interface ImageBytes {
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** The rows of kept images. An expired image counts as removed, though its row may still be there. */
export class ImageRecords {
  readonly rows: BlobRows;
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
    this.rows = new BlobRows(pool, 'images');
  }

  insert(image: NewImage, { sizeBytes, sha256 }: ImageBytes, retentionDays: number): Promise<StoredImage> {
    const now = sql`date_trunc('milliseconds', now())`;
    return queryRow(
      this.#pool,
      imageRow,
      sql`insert into images (id, account_id, stack_id, key_id, route, model, prompt, width, height, steps,
          guidance_scale, seed, reference_count, reference_hashes, unknown_words, size_bytes, sha256, created_at, expires_at)
        values (${image.id}, ${image.accountId}, ${image.stackId}, ${image.keyId}, ${image.route}, ${image.model},
          ${image.prompt}, ${image.width}, ${image.height}, ${image.steps}, ${image.guidanceScale}, ${image.seed},
          ${image.references}, ${image.referenceHashes ?? []}, ${image.unknownWords}, ${sizeBytes}, ${sha256}, ${now},
          ${now} + make_interval(days => ${retentionDays}))
        returning ${IMAGE}`,
    );
  }

  find(stackId: string, id: string): Promise<StoredImage | undefined> {
    return findRow(
      this.#pool,
      imageRow,
      sql`select ${IMAGE} from images where stack_id = ${stackId} and id = ${id} and ${IS_THERE}`,
    );
  }

  /** An image of any stack, for operators. */
  findAnywhere(id: string): Promise<StoredImage | undefined> {
    return findRow(this.#pool, imageRow, sql`select ${IMAGE} from images where id = ${id} and ${IS_THERE}`);
  }

  /** Images of all stacks or one, newest first, each with the stored images that it was painted from. */
  listAnywhere({ stackId, after, limit }: ImagesAnywhere): Promise<readonly ImageWithParents[]> {
    const conditions = [
      IS_THERE,
      ...(stackId === undefined ? [] : [sql`stack_id = ${stackId}`]),
      ...(after === undefined
        ? []
        : [sql`(created_at, id) < (${after.createdAt}::timestamptz, ${after.id})`]),
    ];
    const page = sql`select ${IMAGE} from images where ${joined(conditions, ' and ')}
      order by created_at desc, id desc limit ${limit}`;
    return this.#withParents(page);
  }

  /** An image of any stack with the stored images that it was painted from. */
  async findWithParents(id: string): Promise<ImageWithParents | undefined> {
    const [image] = await this.#withParents(
      sql`select ${IMAGE} from images where id = ${id} and ${IS_THERE}`,
    );
    return image;
  }

  #withParents(page: Sql): Promise<readonly ImageWithParents[]> {
    return queryRows(
      this.#pool,
      imageWithParents,
      sql`select page.*, array(select parent.id from images as parent
          where parent.stack_id = page.stack_id and parent.sha256 = any (page.reference_hashes)
            and parent.id <> page.id and parent.expires_at > now() order by parent.created_at, parent.id) as parents
        from (${page}) as page order by created_at desc, id desc`,
    );
  }

  /** One page, newest first. It reads one row more than asked for, which tells whether another page follows. */
  async list(query: GalleryQuery): Promise<GalleryPage> {
    const rows = await queryRows(
      this.#pool,
      imageRow,
      sql`select ${IMAGE} from images where ${joined([...conditionsOf(query), IS_THERE], ' and ')}
        order by created_at desc, id desc limit ${query.limit + 1}`,
    );
    const page = rows.slice(0, query.limit);
    const last = page.at(-1);
    return { images: page, nextCursor: rows.length > page.length && last ? cursorOf(last) : undefined };
  }

  /** Expires an image at once; false when the stack has no such image. */
  async expire(stackId: string, id: string): Promise<boolean> {
    const expired = await execute(
      this.#pool,
      sql`update images set expires_at = now() where stack_id = ${stackId} and id = ${id} and ${IS_THERE}`,
    );
    return expired > 0;
  }
}

const IMAGE = sql`*, reference_count as "references"`;
const IS_THERE = sql`expires_at > now()`;

function conditionsOf({ stackId, keyId, createdFrom, createdBefore, cursor }: GalleryQuery): readonly Sql[] {
  return [
    sql`stack_id = ${stackId}`,
    ...(keyId === undefined ? [] : [sql`key_id = ${keyId}`]),
    ...(createdFrom === undefined ? [] : [sql`created_at >= ${createdFrom}`]),
    ...(createdBefore === undefined ? [] : [sql`created_at < ${createdBefore}`]),
    ...(cursor === undefined ? [] : [afterCursor(cursor)]),
  ];
}

function afterCursor(cursor: string): Sql {
  const { createdAt, id } = parseCursor(cursor);
  return sql`(created_at, id) < (${createdAt}::timestamptz, ${id})`;
}
