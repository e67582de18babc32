import { SchemaRefused } from '../terms/schema-refused.ts';
import { emitRule } from './emit-gbnf.ts';
import type { Alternative, GrammarSymbol, Rule } from './grammar-builder.ts';

type Rules = ReadonlyMap<string, Rule>;

/** The grammar as text, from `root` on, without what can never be finished. */
export function finishGrammar(rules: Rules, root: string): string {
  const productive = productiveRules(rules);
  if (!productive.has(root)) {
    const path = unsatisfiablePath(rules, { root, productive });
    const place = path === '' ? 'The schema' : `The schema at ${path}`;
    throw new SchemaRefused(
      'unsatisfiable',
      path,
      `${place} allows no value at all; check what it requires.`,
    );
  }
  const lines = [`root ::= ${root}`];
  const reached = new Set([root]);
  for (const name of reached) {
    const alternatives = (rules.get(name)?.alternatives ?? [])
      .filter((alternative) =>
        alternative.every((symbol) => !isRequired(symbol) || productive.has(symbol.name)),
      )
      .map((alternative) =>
        alternative.filter((symbol) => symbol.type !== 'rule' || canAppear(symbol, productive)),
      );
    for (const symbol of alternatives.flat()) if (symbol.type === 'rule') reached.add(symbol.name);
    lines.push(emitRule(name, alternatives));
  }
  return `${lines.join('\n')}\n`;
}

type RuleSymbol = Extract<GrammarSymbol, { type: 'rule' }>;

function isRequired(symbol: GrammarSymbol): symbol is RuleSymbol {
  return symbol.type === 'rule' && symbol.min > 0;
}

function canAppear(symbol: RuleSymbol, productive: ReadonlySet<string>): boolean {
  return symbol.max > 0 && productive.has(symbol.name);
}

/** The rules from which some finite text can be made. */
function productiveRules(rules: Rules): ReadonlySet<string> {
  const productive = new Set<string>();
  const users = new Map<string, { readonly owner: string; missing: number }[]>();
  for (const name of rules.keys()) users.set(name, []);
  for (const [owner, { alternatives }] of rules) {
    for (const alternative of alternatives) {
      const needed = new Set(alternative.filter(isRequired).map(({ name }) => name));
      const entry = { owner, missing: needed.size };
      if (needed.size === 0) productive.add(owner);
      for (const name of needed) users.get(name)?.push(entry);
    }
  }
  for (const name of productive) {
    for (const user of users.get(name) ?? []) {
      user.missing -= 1;
      if (user.missing === 0) productive.add(user.owner);
    }
  }
  return productive;
}

/** Follows what cannot be made down to its cause: the last place of the schema on the way. */
function unsatisfiablePath(
  rules: Rules,
  { root, productive }: { readonly root: string; readonly productive: ReadonlySet<string> },
): string {
  let path = '';
  const visited = new Set<string>();
  let name: string | undefined = root;
  while (name !== undefined && !visited.has(name)) {
    visited.add(name);
    path = rules.get(name)?.path ?? path;
    name = missingPart(rules.get(name)?.alternatives ?? [], productive);
  }
  return path;
}

function missingPart(
  alternatives: readonly Alternative[],
  productive: ReadonlySet<string>,
): string | undefined {
  return alternatives
    .flat()
    .find((symbol): symbol is RuleSymbol => isRequired(symbol) && !productive.has(symbol.name))?.name;
}
