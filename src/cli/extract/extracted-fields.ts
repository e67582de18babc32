import { isRecord, type JsonRecord } from '../../lib/json-record.ts';

/** A place on a page, in fractions of its width and height. */
export interface FieldBox {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** A leaf of extracted data, and where it stands. */
export interface ExtractedField {
  /** For people: `items[2].price`. */
  readonly name: string;
  readonly value: unknown;
  /** Absent if the value stands nowhere as such. */
  readonly place?: {
    readonly file: number;
    readonly page: number;
    readonly quote: string;
    readonly box: FieldBox;
  };
  /** Probability from 0 to 1, if the engine told. */
  readonly confidence?: number;
}

/** The leaves of an extraction's answer, in the order of its data. */
export function extractedFields(answer: JsonRecord): readonly ExtractedField[] {
  return leavesOf('', answer.data, { citation: answer.citations, confidence: answer.confidence });
}

interface Told {
  readonly citation: unknown;
  readonly confidence: unknown;
}

function leavesOf(name: string, value: unknown, told: Told): readonly ExtractedField[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => leavesOf(`${name}[${index + 1}]`, item, memberOf(told, index)));
  if (isRecord(value)) {
    return Object.entries(value).flatMap(([key, member]) =>
      leavesOf(name === '' ? key : `${name}.${key}`, member, memberOf(told, key)),
    );
  }
  const { citation, confidence } = told;
  return [
    {
      name,
      value,
      ...placeIn(citation),
      ...(typeof confidence === 'number' ? { confidence } : {}),
    },
  ];
}

function memberOf({ citation, confidence }: Told, key: string | number): Told {
  return { citation: inside(citation, key), confidence: inside(confidence, key) };
}

function inside(tree: unknown, key: string | number): unknown {
  if (Array.isArray(tree)) return tree[Number(key)];
  return isRecord(tree) && Object.hasOwn(tree, key) ? tree[key] : undefined;
}

function placeIn(citation: unknown): Pick<ExtractedField, 'place'> {
  if (!isRecord(citation) || !isRecord(citation.box)) return {};
  const { file, page, quote, box } = citation;
  const { x0, y0, x1, y1 } = box;
  if (typeof file !== 'number' || typeof page !== 'number' || typeof quote !== 'string') return {};
  const sides = [x0, y0, x1, y1].filter((side) => typeof side === 'number');
  const [left, top, right, bottom] = sides;
  if (left === undefined || top === undefined || right === undefined || bottom === undefined) return {};
  return { place: { file, page, quote, box: { x0: left, y0: top, x1: right, y1: bottom } } };
}
