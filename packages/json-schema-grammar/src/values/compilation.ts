import type { GrammarBuilder, RuleId } from '../grammar/grammar-builder.ts';
import type { Leaves } from '../normalise/leaves.ts';
import type { Negator } from '../normalise/negator.ts';
import type { Conjunction } from '../normalise/schema-node.ts';
import type { Caps } from '../terms/budgets.ts';
import type { Remarks } from '../terms/remarks.ts';
import type { BuiltinRules } from './builtin-rules.ts';
import type { OtherKeys } from './other-keys.ts';
import type { PatternLibrary } from './pattern-library.ts';
import type { ValueJudge } from './satisfies.ts';
import type { StringLanguages } from './string-language.ts';

/** When to write keys that the schema does not name. */
export type UnnamedKeys = 'where-described' | 'where-allowed';

/** State shared by the parts of one compilation. */
export interface Compilation {
  readonly grammar: GrammarBuilder;
  readonly builtin: BuiltinRules;
  readonly remarks: Remarks;
  readonly leaves: Leaves;
  readonly strings: StringLanguages;
  readonly otherKeys: OtherKeys;
  readonly patterns: PatternLibrary;
  readonly negator: Negator;
  readonly judge: ValueJudge;
  readonly caps: Caps;
  readonly unnamedKeys: UnnamedKeys;
  /** Whether a schema without `type` allows only the types its keywords apply to. */
  readonly infersTypes: boolean;
  /** The rule of the values that satisfy the conjunction. */
  ruleFor(conjunction: Conjunction): RuleId;
}
