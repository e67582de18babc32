/** A valid PNG, 8-bit RGB; equal arguments give equal bytes. */
export function makePng(size: {
  readonly width: number;
  readonly height: number;
  readonly seed?: number;
}): Buffer;
