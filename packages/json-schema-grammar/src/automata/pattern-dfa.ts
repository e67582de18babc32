import { ANY_CHARACTER } from './character-set.ts';
import { determinise } from './determinise.ts';
import { ANY_TEXT, type Dfa } from './dfa.ts';
import { complement, intersect, unite } from './dfa-algebra.ts';
import { minimise } from './minimise.ts';
import { Nfa } from './nfa.ts';
import { PatternUnsupported } from './pattern-unsupported.ts';
import { choice, containsNode, NOTHING, type RegexNode, repeat, sequence, set } from './regex-node.ts';
import { parseRegex } from './regex-parser.ts';
import type { UnicodeProperties } from './unicode-properties.ts';

/** The automaton of the texts in which the pattern is found, as in the schema keyword `pattern`. */
export function patternDfa(pattern: string, properties: UnicodeProperties): Dfa {
  if (!isRegex(pattern)) throw new PatternUnsupported('it is not a regular expression');
  const node = parseRegex(pattern, properties);
  return containsNode(node, isLookahead) ? searchWithLookaheads(node) : search(node);
}

/** Whether the pattern is a valid RegExp, with or without unicode mode. */
export function isRegex(pattern: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return Boolean(new RegExp(pattern, flags));
    } catch {
      return false;
    }
  });
}

/** The automaton of the texts that match as a whole. */
export function wholeTextDfa(node: RegexNode): Dfa {
  const nfa = new Nfa();
  return minimise(determinise(nfa, nfa.add(node)));
}

function search(node: RegexNode): Dfa {
  const nfa = new Nfa();
  const found = nfa.add(node);
  const before = nfa.addLoop();
  const after = nfa.addLoop();
  nfa.connect(before, found.entry);
  nfa.connect(found.exit, after);
  return minimise(determinise(nfa, { entry: before, exit: after }, after));
}

const isLookahead = (node: RegexNode) => node.type === 'lookahead';
const isStart = (node: RegexNode) => node.type === 'start';
const ANYTHING: RegexNode = { type: 'language', dfa: ANY_TEXT };

/** A match begins either at the start of the text, where `^` holds, or later, where it does not. */
function searchWithLookaheads(node: RegexNode): Dfa {
  const first = wholeTextDfa(follow(node, ANYTHING, 'start'));
  const later = wholeTextDfa(
    sequence(repeat(set(ANY_CHARACTER), 1, Infinity), follow(node, ANYTHING, 'later')),
  );
  return unite(first, later);
}

type TextPosition = 'start' | 'later' | 'unknown';

/**
 * The language of the remaining text if `node` matches at the position and `rest` follows.
 * A lookahead becomes an intersection with its language, or with the complement.
 */
function follow(node: RegexNode, rest: RegexNode, position: TextPosition): RegexNode {
  switch (node.type) {
    case 'start':
      return position === 'start' ? rest : position === 'later' ? NOTHING : unsupported();
    case 'lookahead':
      return lookAhead(node, rest, position);
    case 'sequence':
      return followSequence(node.parts, rest, position);
    case 'choice':
      return choice(node.options.map((option) => follow(option, rest, position)));
    default:
      if (containsNode(node, isLookahead) || containsNode(node, isStart)) return unsupported();
      return sequence(node, rest);
  }
}

function followSequence(parts: readonly RegexNode[], rest: RegexNode, position: TextPosition): RegexNode {
  const [head, ...tail] = parts;
  if (!head) return rest;
  return follow(head, followSequence(tail, rest, positionAfter(head, position)), position);
}

function lookAhead(
  node: Extract<RegexNode, { type: 'lookahead' }>,
  rest: RegexNode,
  position: TextPosition,
): RegexNode {
  const ahead = wholeTextDfa(follow(node.node, ANYTHING, position));
  const allowed = node.negated ? complement(ahead) : ahead;
  return { type: 'language', dfa: intersect(allowed, wholeTextDfa(rest)) };
}

function positionAfter(node: RegexNode, position: TextPosition): TextPosition {
  switch (node.type) {
    case 'start':
    case 'end':
    case 'lookahead':
      return position;
    case 'set':
      return 'later';
    case 'repeat': {
      const after = positionAfter(node.node, position);
      return node.min > 0 || after === position ? after : 'unknown';
    }
    case 'sequence':
      return node.parts.reduce((current, part) => positionAfter(part, current), position);
    case 'choice': {
      const positions = new Set(node.options.map((option) => positionAfter(option, position)));
      return positions.size === 1 ? ([...positions][0] ?? position) : 'unknown';
    }
    default:
      return 'unknown';
  }
}

function unsupported(): never {
  throw new PatternUnsupported('a lookahead is enforced only outside of repetitions');
}
