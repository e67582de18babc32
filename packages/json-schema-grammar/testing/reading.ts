import { Leaves } from '../src/normalise/leaves.ts';
import type { SchemaNode } from '../src/normalise/schema-node.ts';
import { SchemaReader } from '../src/normalise/schema-reader.ts';
import { Deadline } from '../src/terms/budgets.ts';
import type { Json } from '../src/terms/json.ts';
import { Remarks } from '../src/terms/remarks.ts';
import { PatternLibrary } from '../src/values/pattern-library.ts';
import { ValueJudge } from '../src/values/satisfies.ts';
import { StringLanguages } from '../src/values/string-language.ts';

/** A parsed schema and its remarks, before rules are built. */
export interface Reading {
  readonly root: SchemaNode;
  readonly reader: SchemaReader;
  readonly leaves: Leaves;
  readonly strings: StringLanguages;
  readonly judge: ValueJudge;
  readonly remarks: Remarks;
}

/** A deadline that is never over. */
export const noDeadline = new Deadline(Infinity, { nowMs: () => 0, cpuMs: () => undefined });

/** Parses a schema; pass a library to reuse patterns. */
export function readingOf(given: Json, patterns = new PatternLibrary()): Reading {
  // Copied as a parser would: no object appears twice.
  const schema: Json = JSON.parse(JSON.stringify(given));
  const remarks = new Remarks();
  const reader = new SchemaReader(schema, remarks, noDeadline);
  const leaves = new Leaves(remarks, noDeadline);
  const strings = new StringLanguages(remarks, patterns, noDeadline);
  const judge = new ValueJudge(leaves, strings);
  return { root: reader.read(schema, ''), reader, leaves, strings, judge, remarks };
}
