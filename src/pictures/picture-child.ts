import { serveRequests } from '../supervision/serve-requests.ts';
import { boundLibrary, doPictureJob } from './clean-picture.ts';
import type { PictureJob } from './picture-job.ts';

await serveRequests(() => {
  boundLibrary();
  return { handle: (payload) => doPictureJob(parseJob(payload)) };
});

/** It comes from our own parent, so anything else is a bug. */
function parseJob(payload: unknown): PictureJob {
  if (typeof payload !== 'object' || payload === null || !('type' in payload) || !('bytes' in payload)) {
    throw new TypeError('the parent sent no job');
  }
  const { type, bytes } = payload;
  if (!(bytes instanceof Uint8Array)) throw new TypeError('a job has bytes');
  if (type === 'clean') return { type, bytes };
  if (type === 'preview') return { type, bytes, ...longerSideOf(payload) };
  const size = 'size' in payload ? payload.size : undefined;
  if (type !== 'verify' || !isSize(size)) throw new TypeError('the parent sent an unknown job');
  return { type, bytes, size };
}

function longerSideOf(payload: object): { readonly longerSide?: number } {
  if (!('longerSide' in payload) || typeof payload.longerSide !== 'number') return {};
  return { longerSide: payload.longerSide };
}

function isSize(value: unknown): value is { readonly width: number; readonly height: number } {
  return typeof value === 'object' && value !== null && 'width' in value && 'height' in value;
}
