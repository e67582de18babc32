const TOKEN =
  /\s*(?:"((?:[^"\\]|\\.)*)"|(\[(?:[^\]\\]|\\.)*\])|([a-zA-Z][\w-]*)|(\|))([*+?]|\{(\d+)(?:,\d*)?\})?/gsuy;
const ESCAPED = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)|./gsu;

/** An alternative of a rule: its number of characters, and the rules it refers to. */
interface Alternative {
  readonly owner: string;
  readonly characters: number;
  readonly parts: readonly { readonly name: string; readonly times: number }[];
}

/** The length of the shortest text of a grammar in characters; undefined if the grammar cannot be parsed. */
export function smallestSentenceLength(grammar: string): number | undefined {
  const alternatives = parseAlternatives(grammar);
  if (!alternatives) return undefined;
  const users = usersOf(alternatives);
  const shortest = new Map<string, number>();
  const waiting = new Set(alternatives.filter(({ parts }) => parts.length === 0));
  // Sets iterate in insertion order: an alternative added again is visited again, at the end.
  for (const alternative of waiting) {
    waiting.delete(alternative);
    const length = lengthOf(alternative, shortest);
    if (length >= (shortest.get(alternative.owner) ?? Infinity)) continue;
    shortest.set(alternative.owner, length);
    for (const user of users.get(alternative.owner) ?? []) waiting.add(user);
  }
  return shortest.get('root');
}

function usersOf(alternatives: readonly Alternative[]): ReadonlyMap<string, readonly Alternative[]> {
  const users = new Map<string, Alternative[]>();
  for (const alternative of alternatives) {
    for (const { name } of alternative.parts) {
      const known = users.get(name);
      if (known) known.push(alternative);
      else users.set(name, [alternative]);
    }
  }
  return users;
}

function lengthOf({ characters, parts }: Alternative, shortest: ReadonlyMap<string, number>): number {
  return parts.reduce((sum, { name, times }) => sum + times * (shortest.get(name) ?? Infinity), characters);
}

function parseAlternatives(grammar: string): readonly Alternative[] | undefined {
  const found: Alternative[] = [];
  for (const line of grammar.trimEnd().split('\n')) {
    const end = line.indexOf(' ::= ');
    const parsed = end > 0 ? parseBody(line.slice(0, end), line.slice(end + ' ::= '.length)) : undefined;
    if (!parsed) return undefined;
    found.push(...parsed);
  }
  return found;
}

function parseBody(owner: string, body: string): readonly Alternative[] | undefined {
  const alternatives: Alternative[] = [];
  let characters = 0;
  let parts: { name: string; times: number }[] = [];
  const finish = () => {
    alternatives.push({ owner, characters, parts });
    [characters, parts] = [0, []];
  };
  let read = 0;
  for (const [token, literal, set, name, bar, count, least] of body.matchAll(TOKEN)) {
    read += token.length;
    const times = count === '*' || count === '?' ? 0 : least === undefined ? 1 : Number(least);
    if (bar !== undefined) finish();
    else if (literal !== undefined) characters += times * (literal.match(ESCAPED)?.length ?? 0);
    else if (set !== undefined) characters += times;
    else if (name !== undefined && times > 0) parts.push({ name, times });
  }
  finish();
  return read === body.length ? alternatives : undefined;
}
