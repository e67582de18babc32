import { Fault } from '../../src/faults/fault.ts';
import type { ResourceReader } from '../../src/mcp/resources.ts';

/** Has nothing stored. */
export const noResources: ResourceReader = {
  images: async () => {
    throw new Fault('image-not-found', 'no image');
  },
  files: async () => {
    throw new Fault('image-not-found', 'no file');
  },
};
