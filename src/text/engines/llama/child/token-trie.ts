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
