import { characterSet, DIGITS } from '../automata/character-set.ts';
import { PLAIN_CHARACTERS } from '../grammar/character-symbol.ts';
import {
  type Alternative,
  characters,
  type GrammarBuilder,
  type GrammarSymbol,
  type RuleId,
  repeated,
  rule,
  text,
} from '../grammar/grammar-builder.ts';
import type { Caps } from '../terms/budgets.ts';

/** Rules available to every grammar: JSON without a schema, and the optional space. */
export interface BuiltinRules {
  readonly space: GrammarSymbol;
  /** One character of a string, escaped if necessary. */
  readonly character: RuleId;
  readonly string: RuleId;
  readonly integer: RuleId;
  readonly number: RuleId;
  readonly any: RuleId;
}

const codes = (letters: string) =>
  characterSet([...letters].map((letter) => ({ low: letter.charCodeAt(0), high: letter.charCodeAt(0) })));
const SIGNS = codes('+-');
const EXPONENT_LETTERS = codes('eE');
const ESCAPED_LETTERS = codes('"\\/bfnrt');
const NON_ZERO = [{ low: 0x31, high: 0x39 }];
/** Digits after the first: sixteen digits cover every safe integer. */
const MAX_DIGITS = 15;

/** Adds the rules that do not depend on the schema. */
export function addBuiltinRules(grammar: GrammarBuilder, caps: Caps): BuiltinRules {
  const define = (name: string, alternatives: readonly Alternative[]) => grammar.add(name, alternatives);
  const space = rule(define('space', [[text(' ')], []]));
  const escaped = [text('\\'), characters(ESCAPED_LETTERS)];
  const character = define('character', [[characters(PLAIN_CHARACTERS)], escaped]);
  const string = define('string', [[text('"'), repeated(character, 0, caps.stringLength), text('"')]]);
  const digit = define('digit', [[characters(DIGITS)]]);
  const minus = repeated(define('minus', [[text('-')]]), 0, 1);
  const natural = rule(
    define('natural', [[text('0')], [characters(NON_ZERO), repeated(digit, 0, MAX_DIGITS)]]),
  );
  const integer = define('integer', [[minus, natural]]);
  const fraction = define('fraction', [[text('.'), repeated(digit, 1, MAX_DIGITS)]]);
  const sign = repeated(define('sign', [[characters(SIGNS)]]), 0, 1);
  const exponent = define('exponent', [[characters(EXPONENT_LETTERS), sign, repeated(digit, 1, 2)]]);
  const number = define('number', [[minus, natural, repeated(fraction, 0, 1), repeated(exponent, 0, 1)]]);
  const any = grammar.reserve('any');
  const member = define('member', [[rule(string), text(':'), space, rule(any)]]);
  const nextMember = define('next-member', [[text(','), space, rule(member)]]);
  const nextItem = define('next-item', [[text(','), space, rule(any)]]);
  const members = [rule(member), repeated(nextMember, 0, caps.openProperties)];
  const object = define('object', [
    [text('{'), space, text('}')],
    [text('{'), space, ...members, space, text('}')],
  ]);
  const items = [rule(any), repeated(nextItem, 0, caps.items)];
  const array = define('array', [
    [text('['), space, text(']')],
    [text('['), space, ...items, space, text(']')],
  ]);
  const words = ['true', 'false', 'null'].map((word) => [text(word)]);
  grammar.define(any, [...[object, array, string, number].map((id) => [rule(id)]), ...words]);
  return { space, character, string, integer, number, any };
}
