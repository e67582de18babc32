import type { NewImage } from '../../src/images/gallery.ts';
import { newImageId } from '../../src/images/image-id.ts';

/** An image of key `web` of stack `shop`, with overrides. */
export function makeImage(changes: Partial<NewImage> = {}): NewImage {
  return {
    id: newImageId(),
    accountId: 'acme',
    stackId: 'shop',
    keyId: 'web',
    route: 'generations',
    model: 'painter',
    prompt: 'a watercolour fox',
    width: 1024,
    height: 1024,
    steps: 4,
    guidanceScale: 1.5,
    seed: 18446744073709551615n,
    references: 0,
    unknownWords: ['watercolour'],
    png: Buffer.from('\x89PNG fox'),
    ...changes,
  };
}
