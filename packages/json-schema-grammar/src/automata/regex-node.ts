import { type CharacterSet, singleCharacter } from './character-set.ts';
import type { Dfa } from './dfa.ts';

/** A regular expression as a tree. */
export type RegexNode =
  | { readonly type: 'set'; readonly set: CharacterSet }
  | { readonly type: 'sequence'; readonly parts: readonly RegexNode[] }
  | { readonly type: 'choice'; readonly options: readonly RegexNode[] }
  | { readonly type: 'repeat'; readonly node: RegexNode; readonly min: number; readonly max: number }
  | { readonly type: 'start' }
  | { readonly type: 'end' }
  | { readonly type: 'boundary'; readonly negated: boolean }
  | { readonly type: 'lookahead'; readonly negated: boolean; readonly node: RegexNode }
  | { readonly type: 'lookbehind'; readonly negated: boolean; readonly node: RegexNode }
  | { readonly type: 'language'; readonly dfa: Dfa };

/** The empty text. */
export const EMPTY_TEXT: RegexNode = { type: 'sequence', parts: [] };

/** Matches no text. */
export const NOTHING: RegexNode = { type: 'choice', options: [] };

export function set(characters: CharacterSet): RegexNode {
  return { type: 'set', set: characters };
}

export function sequence(...parts: readonly RegexNode[]): RegexNode {
  return { type: 'sequence', parts };
}

export function choice(options: readonly RegexNode[]): RegexNode {
  return { type: 'choice', options };
}

export function repeat(node: RegexNode, min: number, max: number): RegexNode {
  return { type: 'repeat', node, min, max };
}

export function literal(text: string): RegexNode {
  return sequence(...[...text].map((character) => set(singleCharacter(character.codePointAt(0) ?? 0))));
}

/** Whether the node or one of its descendants passes the test. */
export function containsNode(node: RegexNode, test: (node: RegexNode) => boolean): boolean {
  return test(node) || childrenOf(node).some((child) => containsNode(child, test));
}

function childrenOf(node: RegexNode): readonly RegexNode[] {
  switch (node.type) {
    case 'sequence':
      return node.parts;
    case 'choice':
      return node.options;
    case 'repeat':
    case 'lookahead':
    case 'lookbehind':
      return [node.node];
    default:
      return [];
  }
}
