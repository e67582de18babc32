import type { Dfa } from './dfa.ts';

/** A set of states that reach each other. Every cycle passes the head or lies in a nested loop. */
export interface Loop {
  readonly head: number;
}

export interface LoopNest {
  /** For each state, the loops around it, outermost first. */
  readonly around: readonly (readonly Loop[])[];
  /** Whether all loops of several states were found. */
  readonly isWhole: boolean;
}

/** Larger loops are skipped: their rules would be too many. */
const MAX_LOOP_STATES = 24;
/** Loops nested deeper are skipped for the same reason. */
const MAX_NESTING = 3;

/** Finds the loops of several states; a state's transition to itself is not one. */
export function loopNest(dfa: Dfa): LoopNest {
  const around: Loop[][] = dfa.transitions.map(() => []);
  let isWhole = true;
  const addLoops = (states: readonly number[], depth: number) => {
    for (const members of circles(dfa, states)) {
      if (depth > MAX_NESTING || members.length > MAX_LOOP_STATES) {
        isWhole = false;
        continue;
      }
      const loop = { head: mostEntered(dfa, members) };
      for (const member of members) around[member]?.push(loop);
      const others = members.filter((member) => member !== loop.head);
      addLoops(others, depth + 1);
    }
  };
  addLoops([...dfa.transitions.keys()], 1);
  return { around, isWhole };
}

/** The member that most others lead to: as the head, it leaves the fewest nested loops. */
function mostEntered(dfa: Dfa, members: readonly number[]): number {
  const entries = new Map(members.map((member) => [member, 0]));
  for (const member of members) {
    for (const target of new Set(dfa.transitions[member]?.map((step) => step.target))) {
      const count = entries.get(target);
      if (count !== undefined) entries.set(target, count + 1);
    }
  }
  let [head = 0] = members;
  for (const [member, count] of entries) if (count > (entries.get(head) ?? 0)) head = member;
  return head;
}

/** Strongly connected components of two or more states, by Tarjan's algorithm. */
function circles(dfa: Dfa, states: readonly number[]): readonly (readonly number[])[] {
  const isAmong = new Set(states);
  const order = new Map<number, number>();
  const lowest = new Map<number, number>();
  const open: number[] = [];
  const isOpen = new Set<number>();
  const found: number[][] = [];
  const enter = (state: number) => {
    order.set(state, order.size);
    lowest.set(state, order.size - 1);
    open.push(state);
    isOpen.add(state);
    return { state, steps: (dfa.transitions[state] ?? []).values() };
  };
  const lower = (state: number, value = Infinity) =>
    lowest.set(state, Math.min(lowest.get(state) ?? Infinity, value));
  const close = (state: number) => {
    const members = open.splice(open.lastIndexOf(state));
    for (const member of members) isOpen.delete(member);
    if (members.length > 1) found.push(members);
  };
  for (const first of states) {
    // An explicit stack: automata may have thousands of states in a row.
    const path = order.has(first) ? [] : [enter(first)];
    for (let last = path.at(-1); last; last = path.at(-1)) {
      const { value: step } = last.steps.next();
      if (step && isAmong.has(step.target)) {
        if (!order.has(step.target)) path.push(enter(step.target));
        else if (isOpen.has(step.target)) lower(last.state, order.get(step.target));
      } else if (!step) {
        path.pop();
        const outer = path.at(-1);
        if (outer) lower(outer.state, lowest.get(last.state));
        if (lowest.get(last.state) === order.get(last.state)) close(last.state);
      }
    }
  }
  return found;
}
