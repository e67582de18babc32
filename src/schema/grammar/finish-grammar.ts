import { SchemaRefused } from '../terms/schema-refused.ts';
import { emitRule } from './emit-gbnf.ts';
import type { Alternative, GrammarSymbol, Rule, RuleId } from './grammar-builder.ts';

type Rules = readonly Rule[];

/** The grammar as text, from `root` on, without what can never be finished. */
export function finishGrammar(rules: Rules, root: RuleId): string {
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
  const nameOf = (id: RuleId) => rules[id]?.name ?? '';
  const lines = [`root ::= ${nameOf(root)}`];
  const reached = new Set([root]);
  for (const id of reached) {
    const alternatives = finishable(rules[id]?.alternatives ?? [], productive);
    for (const alternative of alternatives) {
      for (const symbol of alternative) if (symbol.type === 'rule') reached.add(symbol.id);
    }
    lines.push(emitRule(nameOf(id), alternatives, nameOf));
  }
  return `${lines.join('\n')}\n`;
}

/** The alternatives that can be finished, without what never appears in them. */
function finishable(
  alternatives: readonly Alternative[],
  productive: ReadonlySet<RuleId>,
): readonly Alternative[] {
  const isFine = (symbol: GrammarSymbol) => symbol.type !== 'rule' || canAppear(symbol, productive);
  if (alternatives.every((alternative) => alternative.every(isFine))) return alternatives;
  return alternatives
    .filter((alternative) => alternative.every((symbol) => !isRequired(symbol) || productive.has(symbol.id)))
    .map((alternative) => alternative.filter(isFine));
}

type RuleSymbol = Extract<GrammarSymbol, { type: 'rule' }>;

function isRequired(symbol: GrammarSymbol): symbol is RuleSymbol {
  return symbol.type === 'rule' && symbol.min > 0;
}

function canAppear(symbol: RuleSymbol, productive: ReadonlySet<RuleId>): boolean {
  return symbol.max > 0 && productive.has(symbol.id);
}

/** The rules from which some finite text can be made. */
function productiveRules(rules: Rules): ReadonlySet<RuleId> {
  const productive = new Set<RuleId>();
  const users: Use[][] = rules.map(() => []);
  for (const [owner, { alternatives }] of rules.entries()) {
    for (const alternative of alternatives) {
      const use = { owner, missing: 0 };
      for (const symbol of alternative) {
        if (!isRequired(symbol)) continue;
        use.missing += 1;
        users[symbol.id]?.push(use);
      }
      if (use.missing === 0) productive.add(owner);
    }
  }
  for (const id of productive) {
    for (const use of users[id] ?? []) {
      use.missing -= 1;
      if (use.missing === 0) productive.add(use.owner);
    }
  }
  return productive;
}

/** An alternative that waits for rules it needs; one it needs twice counts twice, and is told of twice. */
interface Use {
  readonly owner: RuleId;
  missing: number;
}

/** Follows what cannot be made down to its cause: the last place of the schema on the way. */
function unsatisfiablePath(
  rules: Rules,
  { root, productive }: { readonly root: RuleId; readonly productive: ReadonlySet<RuleId> },
): string {
  let path = '';
  const visited = new Set<RuleId>();
  let id: RuleId | undefined = root;
  while (id !== undefined && !visited.has(id)) {
    visited.add(id);
    path = rules[id]?.path ?? path;
    id = missingPart(rules[id]?.alternatives ?? [], productive);
  }
  return path;
}

function missingPart(
  alternatives: readonly Alternative[],
  productive: ReadonlySet<RuleId>,
): RuleId | undefined {
  return alternatives
    .flat()
    .find((symbol): symbol is RuleSymbol => isRequired(symbol) && !productive.has(symbol.id))?.id;
}
