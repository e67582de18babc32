import { type Dfa, EMPTY_LANGUAGE, type Transition } from './dfa.ts';

/** A node of a trie; children are made after their parents. */
interface TrieNode {
  readonly children: Map<number, number>;
  isEnd: boolean;
}

/** Accepts exactly these texts, with the fewest states. */
export function literalDfa(texts: readonly string[]): Dfa {
  if (texts.length === 0) return EMPTY_LANGUAGE;
  return shareEndings(buildTrie(texts));
}

function buildTrie(texts: readonly string[]): readonly TrieNode[] {
  const nodes: TrieNode[] = [{ children: new Map(), isEnd: false }];
  for (const text of texts) {
    let node = nodes[0];
    for (const character of text) {
      const codePoint = character.codePointAt(0) ?? 0;
      const index = node?.children.get(codePoint) ?? nodes.push({ children: new Map(), isEnd: false }) - 1;
      node?.children.set(codePoint, index);
      node = nodes[index];
    }
    if (node) node.isEnd = true;
  }
  return nodes;
}

/** Goes from the leaves up, so that the children of a node are known by their states when its turn comes. */
function shareEndings(nodes: readonly TrieNode[]): Dfa {
  const transitions: (readonly Transition[])[] = [];
  const accepting: boolean[] = [];
  const stateOfNode = new Map<number, number>();
  const known = new Map<string, number>();
  for (const [index, { children, isEnd }] of [...nodes.entries()].reverse()) {
    const steps = [...children]
      .sort(([a], [b]) => a - b)
      .map(([codePoint, child]) => ({
        low: codePoint,
        high: codePoint,
        target: stateOfNode.get(child) ?? 0,
      }));
    const key = `${isEnd} ${steps.map(({ low, target }) => `${low}:${target}`).join()}`;
    const state = known.get(key) ?? transitions.push(steps) - 1;
    if (!known.has(key)) accepting.push(isEnd);
    known.set(key, state);
    stateOfNode.set(index, state);
  }
  return { start: stateOfNode.get(0) ?? 0, transitions, accepting };
}
