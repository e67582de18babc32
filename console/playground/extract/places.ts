import { isObject } from '../json-text.ts';

/** Shares of the page's width and height, from the top left corner. */
export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** A value of the data, with where it stands in the document. */
export interface Leaf {
  /** Names and indexes from the root, as `lines.0.amount`. */
  readonly path: string;
  readonly value: unknown;
  readonly place?: {
    readonly file: number;
    readonly page: number;
    readonly box: Box;
    readonly quote: string;
  };
  readonly confidence?: number;
}

/** The leaves of the data in its order, with their places and probabilities; both trees have the shape of the data. */
export function leavesOf(data: unknown, citations: unknown, confidence: unknown, path = ''): readonly Leaf[] {
  const members = membersOf(data);
  if (members === undefined) return [leaf(path, data, citations, confidence)];
  return members.flatMap(([name, value]) =>
    leavesOf(
      value,
      memberOf(citations, name),
      memberOf(confidence, name),
      path === '' ? name : `${path}.${name}`,
    ),
  );
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item] as const);
  return isObject(value) ? Object.entries(value) : undefined;
}

function memberOf(tree: unknown, name: string): unknown {
  if (Array.isArray(tree)) return tree[Number(name)];
  return isObject(tree) ? tree[name] : undefined;
}

function leaf(path: string, value: unknown, citation: unknown, probability: unknown): Leaf {
  const { file = 1, page, box, quote } = isObject(citation) ? citation : {};
  return {
    path,
    value,
    ...(typeof page === 'number' &&
      isBox(box) && {
        place: {
          file: typeof file === 'number' ? file : 1,
          page,
          box,
          quote: typeof quote === 'string' ? quote : '',
        },
      }),
    ...(typeof probability === 'number' && { confidence: probability }),
  };
}

function isBox(value: unknown): value is Box {
  return isObject(value) && ['x0', 'y0', 'x1', 'y1'].every((name) => typeof value[name] === 'number');
}

/** The smallest leaf whose box holds a point of a page. */
export function leafAt(
  leaves: readonly Leaf[],
  at: { readonly file: number; readonly page: number; readonly x: number; readonly y: number },
): Leaf | undefined {
  const hit = leaves.filter(
    ({ place }) =>
      place !== undefined &&
      place.file === at.file &&
      place.page === at.page &&
      at.x >= place.box.x0 &&
      at.x <= place.box.x1 &&
      at.y >= place.box.y0 &&
      at.y <= place.box.y1,
  );
  return hit.toSorted((one, other) => areaOf(one) - areaOf(other))[0];
}

function areaOf({ place }: Leaf): number {
  return place === undefined ? 0 : (place.box.x1 - place.box.x0) * (place.box.y1 - place.box.y0);
}
