import { createHash } from 'node:crypto';
import type { Gallery, GalleryPage, GalleryQuery, NewImage, StoredImage } from '../../src/images/gallery.ts';
import { cursorOf, parseCursor } from '../../src/images/gallery-cursor.ts';

const DAY_MS = 86_400_000;

interface KeptImage extends StoredImage {
  readonly png: Uint8Array;
}

/** An in-memory gallery for tests. */
export class MemoryGallery implements Gallery {
  /** Oldest first. */
  readonly #kept: KeptImage[] = [];
  readonly #retentionDays: number;

  constructor(retentionDays = 30) {
    this.#retentionDays = retentionDays;
  }

  async keep(image: NewImage, signal: AbortSignal): Promise<StoredImage> {
    signal.throwIfAborted();
    const now = Date.now();
    const kept: KeptImage = {
      ...image,
      createdAt: new Date(now),
      expiresAt: new Date(now + this.#retentionDays * DAY_MS),
      sizeBytes: image.png.byteLength,
      sha256: createHash('sha256').update(image.png).digest('hex'),
    };
    this.#kept.push(kept);
    return withoutPng(kept);
  }

  async list(query: GalleryQuery, _signal: AbortSignal): Promise<GalleryPage> {
    const { stackId, keyId, createdFrom, createdBefore, cursor, limit } = query;
    const end = cursor === undefined ? undefined : parseCursor(cursor);
    const wanted = this.#kept
      .filter((image) => image.stackId === stackId && (keyId === undefined || image.keyId === keyId))
      .filter(({ createdAt }) => createdFrom === undefined || createdAt >= createdFrom)
      .filter(({ createdAt }) => createdBefore === undefined || createdAt < createdBefore)
      .filter((image) => end === undefined || (image.id !== end.id && order(end, image) < 0))
      .sort(order);
    const page = wanted.slice(0, limit);
    const last = page.at(-1);
    return {
      images: page.map(withoutPng),
      nextCursor: last !== undefined && wanted.length > limit ? cursorOf(last) : undefined,
    };
  }

  async find(stackId: string, id: string, _signal: AbortSignal): Promise<StoredImage | undefined> {
    const image = this.#find(stackId, id);
    return image && withoutPng(image);
  }

  async readPng(stackId: string, id: string, _signal: AbortSignal): Promise<Uint8Array | undefined> {
    return this.#find(stackId, id)?.png;
  }

  async remove(stackId: string, id: string, _signal: AbortSignal): Promise<boolean> {
    const image = this.#find(stackId, id);
    if (image === undefined) return false;
    this.#kept.splice(this.#kept.indexOf(image), 1);
    return true;
  }

  #find(stackId: string, id: string): KeptImage | undefined {
    return this.#kept.find((image) => image.stackId === stackId && image.id === id);
  }
}

type Position = Pick<StoredImage, 'createdAt' | 'id'>;

/** Newest first. */
function order(one: Position, other: Position): number {
  return other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1);
}

function withoutPng({ png: _png, ...image }: KeptImage): StoredImage {
  return image;
}
