import type { Caller } from '../access/caller.ts';
import type { Gallery, GalleryPage, GalleryQuery, StoredImage } from './gallery.ts';

const NO_IMAGES: GalleryPage = { images: [], nextCursor: undefined };

/** A gallery as far as callers use it. */
export type ReadableGallery = Omit<Gallery, 'keep'>;

/** The images that a caller may see: those of its stack, or, for some keys, only their own. */
export class CallerGallery {
  readonly #gallery: ReadableGallery;
  readonly #stackId: string;
  /** Absent if the caller sees the images of all keys. */
  readonly #keyId: string | undefined;

  constructor(gallery: ReadableGallery, { stack, key }: Caller) {
    this.#gallery = gallery;
    this.#stackId = stack.id;
    this.#keyId = key.ownImagesOnly ? key.id : undefined;
  }

  async list(query: Omit<GalleryQuery, 'stackId'>, signal: AbortSignal): Promise<GalleryPage> {
    const { keyId = this.#keyId } = query;
    if (this.#keyId !== undefined && keyId !== this.#keyId) return NO_IMAGES;
    const ofKey = keyId === undefined ? {} : { keyId };
    return await this.#gallery.list({ ...query, ...ofKey, stackId: this.#stackId }, signal);
  }

  async find(id: string, signal: AbortSignal): Promise<StoredImage | undefined> {
    const image = await this.#gallery.find(this.#stackId, id, signal);
    return this.#keyId === undefined || image?.keyId === this.#keyId ? image : undefined;
  }

  async readPng(id: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
    return (await this.#hides(id, signal)) ? undefined : this.#gallery.readPng(this.#stackId, id, signal);
  }

  async remove(id: string, signal: AbortSignal): Promise<boolean> {
    return (await this.#hides(id, signal)) ? false : this.#gallery.remove(this.#stackId, id, signal);
  }

  /** Whether the caller may not see an image; asks only for callers that do not see all. */
  async #hides(id: string, signal: AbortSignal): Promise<boolean> {
    return this.#keyId !== undefined && (await this.find(id, signal)) === undefined;
  }
}
