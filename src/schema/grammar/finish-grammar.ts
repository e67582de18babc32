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
    const alternatives = finishable(rules.get(name)?.alternatives ?? [], productive);
    for (const alternative of alternatives) {
      for (const symbol of alternative) if (symbol.type === 'rule') reached.add(symbol.name);
    }
    lines.push(emitRule(name, alternatives));
  }
  return `${lines.join('\n')}\n`;
}

/** The alternatives that can be finished, without what never appears in them. */
function finishable(
  alternatives: readonly Alternative[],
  productive: ReadonlySet<string>,
): readonly Alternative[] {
  const isFine = (symbol: GrammarSymbol) => symbol.type !== 'rule' || canAppear(symbol, productive);
  if (alternatives.every((alternative) => alternative.every(isFine))) return alternatives;
  return alternatives
    .filter((alternative) =>
      alternative.every((symbol) => !isRequired(symbol) || productive.has(symbol.name)),
    )
    .map((alternative) => alternative.filter(isFine));
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
  const users = new Map<string, Use[]>();
  for (const [owner, { alternatives }] of rules) {
    for (const alternative of alternatives) {
      const use = { owner, missing: 0 };
      for (const symbol of alternative) {
        if (!isRequired(symbol)) continue;
        use.missing += 1;
        const known = users.get(symbol.name);
        if (known) known.push(use);
        else users.set(symbol.name, [use]);
      }
      if (use.missing === 0) productive.add(owner);
    }
  }
  for (const name of productive) {
    for (const use of users.get(name) ?? []) {
      use.missing -= 1;
      if (use.missing === 0) productive.add(use.owner);
    }
  }
  return productive;
}

/** An alternative that waits for rules it needs; one it needs twice counts twice, and is told of twice. */
interface Use {
  readonly owner: string;
  missing: number;
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
