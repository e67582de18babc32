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

/** Options of `compileSchema`; all have defaults. */
export interface CompileOptions {
  /** Above this, the schema is refused as too complex. */
  readonly timeLimitMs?: number;
  readonly caps?: Partial<Caps>;
  /** Whether to write keys that the schema allows but does not describe; `where-described` by default. */
  readonly unnamedKeys?: UnnamedKeys;
  /** Measures the time that is limited; the wall clock by default. */
  readonly clock?: WorkClock;
  /** Pass the same `validator` and `patterns` to many compilations: creating them takes longer than compiling most schemas. */
  readonly validator?: SchemaValidator;
  readonly patterns?: PatternLibrary;
}

/** A grammar whose texts satisfy a schema. */
export interface CompiledSchema {
  /** In llama.cpp's notation; every text it generates is JSON. */
  readonly grammar: string;
  /** Keywords that the grammar does not enforce; validate answers for these. */
  readonly leftToValidation: readonly Remark[];
  /** Keywords for which the grammar allows less than the schema. */
  readonly narrowed: readonly Remark[];
}

const DEFAULT_TIME_LIMIT_MS = 5_000;
const wallClock: WorkClock = { nowMs: () => performance.now(), cpuMs: () => undefined };

/** Compiles a JSON Schema to a grammar; throws SchemaRefused. */
export function compileSchema(schema: unknown, options: CompileOptions = {}): CompiledSchema {
  const document: Json = (options.validator ?? new SchemaValidator()).validate(schema);
  const deadline = new Deadline(options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS, options.clock ?? wallClock);
  const patterns = options.patterns ?? new PatternLibrary();
  const shared = { ...options, patterns, deadline };
  try {
    return compileDocument(document, { ...shared, infersTypes: true });
  } catch (error) {
    if (!(error instanceof SchemaRefused) || error.reason !== 'unsatisfiable') throw error;
    // If no type is stated, a value of a type that no keyword applies to may still satisfy the schema.
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
