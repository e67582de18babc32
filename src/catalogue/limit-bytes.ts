import { Transform } from 'node:stream';
import { SourceFailed } from './fetch-failures.ts';

/** Passes bytes through up to a limit and fails beyond it: a larger archive member is not the expected one. */
export function limitBytes(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new SourceFailed('a file in the package is larger than it should be'));
      else done(null, chunk);
    },
  });
}
