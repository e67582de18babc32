import { StackWaker } from '../../src/access/stack-waker.ts';
import type { ImageEngine } from '../../src/images/image-engine.ts';
import { ImageService, type ImageServiceParts } from '../../src/images/image-service.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { storageRoom } from '../storage-room.ts';
import { KeepingGallery } from './keeping-gallery.ts';
import { MemoryImageQueue } from './memory-image-queue.ts';

/** An image service with the given engines, by name; it has no picture process and can only refuse. */
export function imageService(
  engines: Iterable<readonly [string, ImageEngine]>,
  parts: Partial<ImageServiceParts> = {},
): ImageService {
  return new ImageService({
    engines: new Map(engines),
    pictures: { clean: unexpected, verify: unexpected },
    queue: new MemoryImageQueue(),
    gallery: new KeepingGallery(),
    waker: new StackWaker(),
    storage: storageRoom(),
    clock: systemClock,
    ...parts,
  });
}

async function unexpected(): Promise<never> {
  throw new Error('this test has no process for pictures');
}
