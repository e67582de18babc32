import { FileLinks } from '../../src/files/file-links.ts';
import { LinkOrigin } from '../../src/http/link-origin.ts';
import type { FileRouteParts } from '../../src/http/routes/files.ts';
import { wallClock } from '../../src/lib/wall-clock.ts';
import { type FileServiceOptions, fileService } from './file-service.ts';

interface FileRouteOptions extends FileServiceOptions {
  readonly publicUrl?: string | undefined;
  readonly behindProxy?: boolean | undefined;
}

/** The parts of the file routes, in memory. */
export function fileRouteParts(options: FileRouteOptions = {}): FileRouteParts {
  const { clock = wallClock, publicUrl, behindProxy = false } = options;
  return {
    files: fileService(options),
    links: new FileLinks({ secret: async () => Buffer.from('a secret of this test'), clock }),
    origin: new LinkOrigin({ publicUrl, behindProxy }),
  };
}
