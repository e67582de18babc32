import { createHash } from 'node:crypto';
import type { Gallery, NewImage, StoredImage } from '../../src/images/gallery.ts';

/** An in-memory gallery that can fail and be paused. */
export class KeepingGallery implements Pick<Gallery, 'keep'> {
  readonly images: (NewImage & StoredImage)[] = [];
  /** Thrown by `keep`. */
  failure: unknown;
  /** Awaited by `keep`. */
  hold: Promise<void> | undefined;

  async keep(image: NewImage, signal: AbortSignal): Promise<StoredImage> {
    await this.hold;
    signal.throwIfAborted();
    if (this.failure !== undefined) throw this.failure;
    const stored = {
      ...image,
      createdAt: new Date('2026-01-02T03:04:05.678Z'),
      expiresAt: new Date('2026-02-01T03:04:05.678Z'),
      sizeBytes: image.png.length,
      sha256: createHash('sha256').update(image.png).digest('hex'),
    };
    this.images.push(stored);
    return stored;
  }
}
