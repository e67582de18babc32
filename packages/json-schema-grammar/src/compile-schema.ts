import { finishGrammar } from './grammar/finish-grammar.ts';
import { GrammarBuilder } from './grammar/grammar-builder.ts';
import { Leaves } from './normalise/leaves.ts';
import { SchemaReader } from './normalise/schema-reader.ts';
import { type Caps, DEFAULT_CAPS, Deadline, type WorkClock } from './terms/budgets.ts';
import type { Json } from './terms/json.ts';
import { type Remark, Remarks } from './terms/remarks.ts';
import { SchemaRefused } from './terms/schema-refused.ts';
import { SchemaValidator } from './validate-schema.ts';
import { addBuiltinRules } from './values/builtin-rules.ts';
import type { UnnamedKeys } from './values/compilation.ts';
import { OtherKeys } from './values/other-keys.ts';
import { PatternLibrary } from './values/pattern-library.ts';
import { ValueJudge } from './values/satisfies.ts';
import { StringLanguages } from './values/string-language.ts';
import { ValueRules } from './values/value-rules.ts';

/** How a schema is compiled; everything has a default. */
export interface CompileOptions {
  /** How long it may take before the schema is refused as too complex. */
  readonly timeLimitMs?: number;
  readonly caps?: Partial<Caps>;
  /** Whether keys no schema describes are written where they are merely allowed; usually they are not. */
  readonly unnamedKeys?: UnnamedKeys;
  /** Tells the time that is limited; without one it is that of the clock. */
  readonly clock?: WorkClock;
  /** Both are kept by whoever compiles many schemas: they cost more than most schemas do. */
  readonly validator?: SchemaValidator;
  readonly patterns?: PatternLibrary;
}

/** A grammar for the answers to a schema. */
export interface CompiledSchema {
  /** In llama.cpp's notation; every text it makes is JSON. */
  readonly grammar: string;
  /** What an answer may still violate: it has to be validated for these. */
  readonly leftToValidation: readonly Remark[];
  /** Where answers the schema would allow cannot be given. */
  readonly narrowed: readonly Remark[];
}

const DEFAULT_TIME_LIMIT_MS = 5_000;
const wallClock: WorkClock = { nowMs: () => performance.now(), cpuMs: () => undefined };

/** Makes a grammar of a JSON Schema, or throws SchemaRefused. */
export function compileSchema(schema: unknown, options: CompileOptions = {}): CompiledSchema {
  const document: Json = (options.validator ?? new SchemaValidator()).validate(schema);
  const deadline = new Deadline(options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS, options.clock ?? wallClock);
  const patterns = options.patterns ?? new PatternLibrary();
  const shared = { ...options, patterns, deadline };
  try {
    return compileDocument(document, { ...shared, infersTypes: true });
  } catch (error) {
    if (!(error instanceof SchemaRefused) || error.reason !== 'unsatisfiable') throw error;
    // What no object satisfies, say, a number still may where no type is stated.
    return compileAnyType(document, shared, error);
  }
}

function compileAnyType(document: Json, shared: Shared, unsatisfiable: SchemaRefused): CompiledSchema {
  try {
    return compileDocument(document, { ...shared, infersTypes: false });
  } catch (error) {
    throw error instanceof SchemaRefused && error.reason === 'unsatisfiable' ? unsatisfiable : error;
  }
}

interface Shared extends Pick<CompileOptions, 'caps' | 'unnamedKeys'> {
  readonly patterns: PatternLibrary;
  readonly deadline: Deadline;
}

function compileDocument(
  document: Json,
  { deadline, patterns, infersTypes, ...options }: Shared & { readonly infersTypes: boolean },
): CompiledSchema {
  const remarks = new Remarks();
  const grammar = new GrammarBuilder(deadline);
  const caps = { ...DEFAULT_CAPS, ...options.caps };
  const reader = new SchemaReader(document, remarks, deadline);
  const leaves = new Leaves(remarks, deadline);
  const strings = new StringLanguages(remarks, patterns, deadline);
  const rules = new ValueRules({
    grammar,
    builtin: addBuiltinRules(grammar, caps),
    remarks,
    leaves,
    strings,
    otherKeys: new OtherKeys(grammar, caps.patternLength),
    patterns,
    negator: reader.negator,
    judge: new ValueJudge(leaves, strings),
    caps,
    unnamedKeys: options.unnamedKeys ?? 'where-described',
    infersTypes,
  });
  const root = rules.build(reader.read(document, ''));
  return {
    grammar: finishGrammar(grammar.rules, root),
    leftToValidation: remarks.unenforced,
    narrowed: remarks.narrowed,
  };
}
