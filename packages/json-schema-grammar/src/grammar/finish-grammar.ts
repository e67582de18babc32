import { SchemaRefused } from '../terms/schema-refused.ts';
import type { Alternative, GrammarSymbol, Rule, RuleId } from './grammar-builder.ts';
import { writeGbnf } from './write-gbnf.ts';

type Rules = readonly Rule[];
/** 1 for each rule that generates a finite text. */
type Productive = Uint8Array;

/** Writes the grammar from `root`, without unproductive rules; throws SchemaRefused if `root` is unproductive. */
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

/** Finds the productive rules; an alternative waits for one unproductive rule at a time. */
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
  // In reverse, since most rules refer to later ones and then need not wait.
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

/** The first unproductive rule that an alternative requires. */
function lackedBy(alternative: Alternative, productive: Productive): RuleId | undefined {
  for (const symbol of alternative) {
    if (isRequired(symbol) && !productive[symbol.id]) return symbol.id;
  }
  return undefined;
}

/** Follows unproductive rules to the cause; returns the last schema path on the way. */
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
