/** Connected pixels that are likely text. */
export interface TextRegion {
  /** Pairs of x and y. */
  readonly outline: readonly number[];
  /** Angle of its longest direction; y goes down. */
  readonly angle: number;
}

/** The likelihood of text per pixel. */
export interface HeatMap {
  readonly data: Float32Array;
  readonly width: number;
  readonly height: number;
}

const PIXEL_THRESHOLD = 0.3;
const REGION_THRESHOLD = 0.5;
const MIN_PIXELS = 6;
/** A page of small print has a few hundred lines. */
const MAX_REGIONS = 3_000;

export function findTextRegions(heat: HeatMap): readonly TextRegion[] {
  const visited = new Uint8Array(heat.data.length);
  const stack = new Int32Array(heat.data.length);
  const regions: TextRegion[] = [];
  for (let start = 0; start < heat.data.length && regions.length < MAX_REGIONS; start += 1) {
    if (visited[start] || (heat.data[start] ?? 0) < PIXEL_THRESHOLD) continue;
    const region = flood(heat, start, { visited, stack });
    if (region) regions.push(region);
  }
  return regions;
}

function flood(
  { data, width, height }: HeatMap,
  start: number,
  { visited, stack }: { visited: Uint8Array; stack: Int32Array },
): TextRegion | undefined {
  const outline: number[] = [];
  const moments = new Moments();
  let depth = 1;
  stack[0] = start;
  visited[start] = 1;
  while (depth > 0) {
    depth -= 1;
    const here = stack[depth] ?? 0;
    const x = here % width;
    const y = (here - x) / width;
    let isEdge = x === 0 || y === 0 || x === width - 1 || y === height - 1;
    moments.add(x, y, data[here] ?? 0);
    for (let ny = Math.max(0, y - 1); ny <= Math.min(height - 1, y + 1); ny += 1) {
      for (let nx = Math.max(0, x - 1); nx <= Math.min(width - 1, x + 1); nx += 1) {
        const next = ny * width + nx;
        if ((data[next] ?? 0) < PIXEL_THRESHOLD) isEdge = true;
        else if (!visited[next]) {
          visited[next] = 1;
          stack[depth] = next;
          depth += 1;
        }
      }
    }
    if (isEdge) outline.push(x, y);
  }
  const isText = moments.count >= MIN_PIXELS && moments.meanHeat >= REGION_THRESHOLD;
  return isText ? { outline, angle: moments.angle } : undefined;
}

/** Sums for the principal axis of a set of points. */
class Moments {
  count = 0;
  #heat = 0;
  #x = 0;
  #y = 0;
  #xx = 0;
  #yy = 0;
  #xy = 0;

  add(x: number, y: number, heat: number): void {
    this.count += 1;
    this.#heat += heat;
    this.#x += x;
    this.#y += y;
    this.#xx += x * x;
    this.#yy += y * y;
    this.#xy += x * y;
  }

  get meanHeat(): number {
    return this.#heat / this.count;
  }

  get angle(): number {
    const spreadX = this.#xx - (this.#x * this.#x) / this.count;
    const spreadY = this.#yy - (this.#y * this.#y) / this.count;
    const shared = this.#xy - (this.#x * this.#y) / this.count;
    return 0.5 * Math.atan2(2 * shared, spreadX - spreadY);
  }
}
