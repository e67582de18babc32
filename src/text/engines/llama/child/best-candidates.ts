/**
 * For each position of a path: the log probability that each of the wanted tokens comes next. The first position is before the
 * first token of the path, directly after the common prompt.
 */
export type NextProbabilities<Token> = (
  path: readonly Token[],
  wanted: readonly (readonly Token[])[],
) => Promise<readonly ReadonlyMap<Token, number>[]>;

export interface Scored {
  readonly index: number;
  readonly logProbability: number;
}

interface Frontier<Token> {
  readonly logProbability: number;
  readonly path: readonly Token[];
  readonly node: TrieNode<Token>;
  /** True: reports the sequences that end at this node. False: expands its children. */
  readonly isEnd: boolean;
}

/**
 * The k most likely of many token sequences, most likely first. Best-first search: a sequence is never more likely than its
 * prefix, so the order is exact, and prefixes less likely than the k-th result are never expanded.
 */
export async function* bestCandidates<Token>(
  sequences: readonly (readonly Token[])[],
  k: number,
  next: NextProbabilities<Token>,
): AsyncGenerator<readonly Scored[]> {
  const frontier: Frontier<Token>[] = [];
  const add = (item: Omit<Frontier<Token>, 'isEnd'>) => {
    if (item.node.ends.length > 0) insert(frontier, { ...item, isEnd: true });
    if (item.node.children.size > 0) insert(frontier, { ...item, isEnd: false });
  };
  add({ logProbability: 0, path: [], node: tokenTrie(sequences) });
  let found = 0;
  while (found < k) {
    const best = frontier.pop();
    if (best === undefined) return;
    if (best.isEnd) {
      const ends = best.node.ends.slice(0, k - found);
      found += ends.length;
      yield ends.map((index) => ({ index, logProbability: best.logProbability }));
    } else {
      for (const item of await expand(best, next)) add(item);
      yield [];
    }
  }
}

/** Expands a node by one token; by all remaining tokens if only one sequence is left, which costs little more. */
async function expand<Token>(
  { logProbability, path, node }: Frontier<Token>,
  next: NextProbabilities<Token>,
): Promise<readonly Omit<Frontier<Token>, 'isEnd'>[]> {
  const rest = onlyPath(node);
  if (rest !== undefined) {
    const answers = await next(
      [...path, ...rest.slice(0, -1)],
      [...path.map(() => []), ...rest.map((token) => [token])],
    );
    const below = rest.map((token, index) => answers[path.length + index]?.get(token) ?? -Infinity);
    const end = rest.reduce((at, token) => at.children.get(token) ?? at, node);
    const sum = below.reduce((total, one) => total + one, logProbability);
    return [{ logProbability: sum, path: [...path, ...rest], node: end }];
  }
  const answers = await next(path, [...path.map(() => []), [...node.children.keys()]]);
  return [...node.children].map(([token, child]) => ({
    logProbability: logProbability + (answers.at(-1)?.get(token) ?? -Infinity),
    path: [...path, token],
    node: child,
  }));
}

/** Inserts in order; the most likely item is last. */
function insert<Token>(frontier: Frontier<Token>[], item: Frontier<Token>): void {
  let low = 0;
  let high = frontier.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((frontier[middle]?.logProbability ?? 0) < item.logProbability) low = middle + 1;
    else high = middle;
  }
  frontier.splice(low, 0, item);
}

/** A node in a tree of token sequences. */
export interface TrieNode<Token> {
  readonly children: Map<Token, TrieNode<Token>>;
  /** Indexes of the sequences that end here. */
  readonly ends: number[];
}

/** All sequences as one tree, in which common prefixes are shared. */
export function tokenTrie<Token>(sequences: readonly (readonly Token[])[]): TrieNode<Token> {
  const root = newNode<Token>();
  for (const [index, tokens] of sequences.entries()) {
    let node = root;
    for (const token of tokens) {
      const known = node.children.get(token);
      const child = known ?? newNode<Token>();
      if (known === undefined) node.children.set(token, child);
      node = child;
    }
    node.ends.push(index);
  }
  return root;
}

/** The tokens from here to the only end below; `undefined` if the tree branches, or a sequence ends on the way. */
export function onlyPath<Token>(node: TrieNode<Token>): readonly Token[] | undefined {
  const path: Token[] = [];
  let at = node;
  while (at.children.size === 1) {
    const [next] = at.children;
    if (next === undefined) return undefined;
    path.push(next[0]);
    at = next[1];
    if (at.ends.length > 0 && at.children.size > 0) return undefined;
  }
  return at.children.size === 0 && path.length > 0 ? path : undefined;
}

function newNode<Token>(): TrieNode<Token> {
  return { children: new Map(), ends: [] };
}
