import { ANY_CHARACTER, type CharacterSet } from './character-set.ts';
import { charactersByTarget } from './dfa.ts';
import { PatternUnsupported } from './pattern-unsupported.ts';
import type { RegexNode } from './regex-node.ts';

/** A condition on a position that depends on the text around it. */
export type Assertion = Extract<RegexNode, { readonly type: 'boundary' | 'lookahead' | 'lookbehind' }>;

/** A step that reads no character; `only` restricts it to the start or end of the text, or to positions where an assertion holds. */
export interface FreeStep {
  readonly target: number;
  readonly only?: 'start' | 'end' | Assertion;
}

/** A step on any character of a set. */
interface Step {
  readonly set: CharacterSet;
  readonly target: number;
}

/** The entry and exit states of a part of an automaton. */
export interface Fragment {
  readonly entry: number;
  readonly exit: number;
}

/** Most states of one pattern; `(a{1,99}){1,99}` has fewer. */
const MAX_NFA_STATES = 40_000;

/** A nondeterministic automaton, built from regular expressions by Thompson's construction. */
export class Nfa {
  readonly steps: Step[][] = [];
  readonly freeSteps: FreeStep[][] = [];
  readonly #onAssertion: (assertion: Assertion) => void;

  /** `onAssertion` is called before the step of an assertion is added; by default assertions are unsupported. */
  constructor(onAssertion: (assertion: Assertion) => void = refuseAssertion) {
    this.#onAssertion = onAssertion;
  }

  /** Adds the states of an expression. */
  add(node: RegexNode): Fragment {
    switch (node.type) {
      case 'set':
        return this.#join((entry, exit) => this.steps[entry]?.push({ set: node.set, target: exit }));
      case 'start':
      case 'end':
        return this.#join((entry, exit) => this.freeSteps[entry]?.push({ target: exit, only: node.type }));
      case 'sequence':
        return this.#chain(node.parts);
      case 'choice':
        return this.#join((entry, exit) => {
          for (const option of node.options) this.#wire(entry, this.add(option), exit);
        });
      case 'repeat':
        return this.#repeat(node);
      case 'language':
        return this.#embed(node);
      case 'boundary':
      case 'lookahead':
      case 'lookbehind':
        this.#onAssertion(node);
        return this.#join((entry, exit) => this.freeSteps[entry]?.push({ target: exit, only: node }));
    }
  }

  /** Adds a state that loops on any character. */
  addLoop(): number {
    const state = this.#addState();
    this.steps[state]?.push({ set: ANY_CHARACTER, target: state });
    return state;
  }

  connect(from: number, to: number): void {
    this.freeSteps[from]?.push({ target: to });
  }

  #addState(): number {
    if (this.steps.length >= MAX_NFA_STATES) throw new PatternUnsupported('the pattern is too large');
    this.freeSteps.push([]);
    return this.steps.push([]) - 1;
  }

  #join(build: (entry: number, exit: number) => void): Fragment {
    const entry = this.#addState();
    const exit = this.#addState();
    build(entry, exit);
    return { entry, exit };
  }

  #wire(from: number, fragment: Fragment, to: number): void {
    this.connect(from, fragment.entry);
    this.connect(fragment.exit, to);
  }

  #chain(parts: readonly RegexNode[]): Fragment {
    const entry = this.#addState();
    let exit = entry;
    for (const part of parts) exit = this.#append(exit, part);
    return { entry, exit };
  }

  #append(from: number, node: RegexNode): number {
    const fragment = this.add(node);
    this.connect(from, fragment.entry);
    return fragment.exit;
  }

  #repeat({ node, min, max }: Extract<RegexNode, { type: 'repeat' }>): Fragment {
    const entry = this.#addState();
    const exit = this.#addState();
    let last = entry;
    for (let count = 0; count < min; count++) last = this.#append(last, node);
    this.connect(last, exit);
    if (max === Infinity) {
      const loop = this.add(node);
      this.#wire(last, loop, exit);
      this.connect(loop.exit, loop.entry);
      return { entry, exit };
    }
    for (let count = min; count < max; count++) {
      last = this.#append(last, node);
      this.connect(last, exit);
    }
    return { entry, exit };
  }

  #embed({ dfa }: Extract<RegexNode, { type: 'language' }>): Fragment {
    const states = dfa.transitions.map(() => this.#addState());
    const stateOf = (index: number) => states[index] ?? 0;
    const exit = this.#addState();
    dfa.transitions.forEach((transitions, index) => {
      for (const [target, set] of charactersByTarget(transitions)) {
        this.steps[stateOf(index)]?.push({ set, target: stateOf(target) });
      }
      if (dfa.accepting[index]) this.connect(stateOf(index), exit);
    });
    return { entry: stateOf(dfa.start), exit };
  }
}

function refuseAssertion({ type }: Assertion): never {
  throw new PatternUnsupported(`this ${type === 'boundary' ? 'word boundary' : type} is not enforced`);
}
