import { SchemaRefused } from '../terms/schema-refused.ts';
import type { Alternative, GrammarSymbol, Rule, RuleId } from './grammar-builder.ts';
import { writeGbnf } from './write-gbnf.ts';

type Rules = readonly Rule[];
/** For each rule, 1 where some finite text can be made from it. */
type Productive = Uint8Array;

/** The grammar as text, from `root` on, without what can never be finished. */
export function finishGrammar(rules: Rules, root: RuleId): string {
  const productive = productiveRules(rules);
  if (!productive[root]) {
    const path = unsatisfiablePath(rules, { root, productive });
    const place = path === '' ? 'The schema' : `The schema at ${path}`;
    throw new SchemaRefused(
      'unsatisfiable',
      path,
      `${place} allows no value at all; check what it requires.`,
    );
  }
  return writeGbnf(rules, root, (id) => productive[id] === 1);
}

type RuleSymbol = Extract<GrammarSymbol, { type: 'rule' }>;

function isRequired(symbol: GrammarSymbol): symbol is RuleSymbol {
  return symbol.type === 'rule' && symbol.min > 0;
}

/** The rules from which some finite text can be made; an alternative waits for one rule that it lacks at a time. */
function productiveRules(rules: Rules): Productive {
  const productive = new Uint8Array(rules.length);
  const found: RuleId[] = [];
  const waiting = new Map<RuleId, PendingRule[]>();
  const settle = (owner: RuleId, alternative: Alternative) => {
    if (productive[owner]) return;
    const lacked = lackedBy(alternative, productive);
    const others = lacked === undefined ? undefined : waiting.get(lacked);
    if (lacked === undefined) {
      productive[owner] = 1;
      found.push(owner);
    } else if (others) others.push({ owner, alternative });
    else waiting.set(lacked, [{ owner, alternative }]);
  };
  // From the last to the first: most rules name later ones, and need not wait for them then.
  for (let owner = rules.length - 1; owner >= 0; owner--) {
    for (const alternative of rules[owner]?.alternatives ?? []) settle(owner, alternative);
  }
  for (const id of found) {
    for (const { owner, alternative } of waiting.get(id) ?? []) settle(owner, alternative);
  }
  return productive;
}

interface PendingRule {
  readonly owner: RuleId;
  readonly alternative: Alternative;
}

/** The first rule that an alternative needs and that cannot be made. */
function lackedBy(alternative: Alternative, productive: Productive): RuleId | undefined {
  for (const symbol of alternative) {
    if (isRequired(symbol) && !productive[symbol.id]) return symbol.id;
  }
  return undefined;
}

/** Follows what cannot be made down to its cause: the last place of the schema on the way. */
function unsatisfiablePath(
  rules: Rules,
  { root, productive }: { readonly root: RuleId; readonly productive: Productive },
): string {
  let path = '';
  const visited = new Set<RuleId>();
  let id: RuleId | undefined = root;
  while (id !== undefined && !visited.has(id)) {
    visited.add(id);
    path = rules[id]?.path ?? path;
    id = lackedBy((rules[id]?.alternatives ?? []).flat(), productive);
  }
  return path;
}
