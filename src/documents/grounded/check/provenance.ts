import { isRecord } from '../../../lib/json-record.ts';
import type { PageBox } from '../../../reading/page-text.ts';
import type { Citation } from '../../citation.ts';
import type { ConfidenceTree } from '../../confidence.ts';
import { pointerOf } from '../../json-pointer.ts';
import type { Findings } from '../decide/decide.ts';
import { fieldsOf, listsOf, type SchemaPlan } from '../plan/schema-plan.ts';
import { type FilledLeaf, type FilledList, rangesOf } from '../propose/filled-list.ts';
import type { SourceRange } from '../propose/network-answers.ts';
import { fileAt, type SourceFile } from '../read/source-text.ts';
import { probabilityOfCell, probabilityOfValue } from './calibrated.ts';

/** The origin of a leaf of the data. */
export interface LeafSource {
  readonly value: unknown;
  readonly citation: Citation | undefined;
  readonly probability: number | undefined;
}

const NO_LIST: FilledList = { items: [], fit: 0, isNamed: false };

/** Where each leaf that was found stands, and how likely it is, by JSON pointer. */
export function leafSources(
  plan: SchemaPlan,
  findings: Findings,
  files: readonly SourceFile[],
): ReadonlyMap<string, LeafSource> {
  const sources = new Map<string, LeafSource>();
  for (const field of fieldsOf(plan)) {
    const found = findings.values.get(field);
    const probability = found === undefined ? findings.none.get(field) : probabilityOfValue(found);
    const citation = found === undefined ? undefined : citationOf(found, files);
    sources.set(pointerOf(field.path), { value: found?.value ?? null, citation, probability });
  }
  for (const { list, path } of listsOf(plan)) {
    const found = findings.lists.get(list) ?? NO_LIST;
    for (const [index, { value, leaves }] of found.items.entries()) {
      for (const [name, leaf] of leaves) {
        const steps = name === '' ? [] : [name];
        sources.set(pointerOf([...path, String(index), ...steps]), {
          value: name === '' ? value : memberOf(value, name),
          citation: citationOf(leaf, files),
          probability: probabilityOfCell(leaf.probability, found),
        });
      }
    }
  }
  return sources;
}

/** The probabilities of the data's leaves. Leaves that the model wrote have none. */
export function confidenceOf(
  data: unknown,
  sources: ReadonlyMap<string, LeafSource>,
  path: readonly string[] = [],
): ConfidenceTree {
  if (Array.isArray(data))
    return data.map((item, index) => confidenceOf(item, sources, [...path, String(index)]));
  if (isRecord(data))
    return Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, confidenceOf(value, sources, [...path, name])]),
    );
  const source = sources.get(pointerOf(path));
  return source !== undefined && source.value === data ? (source.probability ?? null) : null;
}

/** The citations of the leaves that are in the data as they were found. */
export function citationsOf(
  data: unknown,
  sources: ReadonlyMap<string, LeafSource>,
): ReadonlyMap<string, Citation> {
  const cited = new Map<string, Citation>();
  for (const [pointer, { value, citation }] of sources) {
    if (citation !== undefined && valueAt(data, pointer) === value) cited.set(pointer, citation);
  }
  return cited;
}

function citationOf(
  found: SourceRange & Pick<FilledLeaf, 'ranges'>,
  files: readonly SourceFile[],
): Citation | undefined {
  const file = fileAt(files, found.start);
  if (file === undefined) return undefined;
  const ranges = (found.ranges ?? [found]).map(({ start, end }) => ({
    start: start - file.start,
    end: end - file.start,
  }));
  for (const [page, { words }] of file.pages.entries()) {
    const own = words.filter((word) => ranges.some(({ start, end }) => word.start < end && start < word.end));
    const boxes = own.flatMap(({ box }) => box ?? []);
    if (own.length > 0 && boxes.length === own.length)
      return {
        file: file.number,
        file_name: file.name,
        page: page + 1,
        quote: own.map(({ text }) => text).join(' '),
        box: around(boxes),
      };
  }
  return undefined;
}

function around(boxes: readonly PageBox[]): PageBox {
  return {
    x0: Math.min(...boxes.map(({ x0 }) => x0)),
    y0: Math.min(...boxes.map(({ y0 }) => y0)),
    x1: Math.max(...boxes.map(({ x1 }) => x1)),
    y1: Math.max(...boxes.map(({ y1 }) => y1)),
  };
}

function memberOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function valueAt(data: unknown, pointer: string): unknown {
  let value = data;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? value[Number(name)] : memberOf(value, name);
  }
  return value;
}

/** The source file of each value and list, by JSON pointer. */
export function originsOf(
  { values, lists }: Findings,
  plan: SchemaPlan,
  files: readonly SourceFile[],
): ReadonlyMap<string, number> {
  const origins = new Map<string, number>();
  const add = (path: readonly string[], offset: number | undefined) => {
    const file = offset === undefined ? undefined : fileAt(files, offset);
    if (file !== undefined) origins.set(pointerOf(path), file.number);
  };
  for (const [{ path }, { start }] of values) add(path, start);
  for (const { list, path } of listsOf(plan)) add(path, rangesOf(lists.get(list) ?? NO_LIST)[0]?.start);
  return origins;
}
