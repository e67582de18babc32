import { appendTransition, type Dfa, EMPTY_LANGUAGE, type Transition } from './dfa.ts';
import { Partition } from './partition.ts';

/** Above this many table cells an automaton is left as it is: larger than need be, and as right as before. */
const MAX_TABLE_CELLS = 1_000_000;

/** The smallest automaton of the same language; what has no accepting state to reach is cut off. */
export function minimise(dfa: Dfa): Dfa {
  const trimmed = trim(dfa);
  if (trimmed.transitions.length === 1) return trimmed;
  const columns = targetColumns(trimmed);
  if (columns.length === 0) return trimmed;
  return mergeBlocks(trimmed, refine(trimmed, columns));
}

/** Keeps the states that can be reached and from which an accepting one can be reached. */
export function trim(dfa: Dfa): Dfa {
  const live = liveStates(dfa);
  if (!live.has(dfa.start)) return EMPTY_LANGUAGE;
  const numbers = new Map([[dfa.start, 0]]);
  const order = [dfa.start];
  for (const state of order) {
    for (const { target } of dfa.transitions[state] ?? []) {
      if (!live.has(target) || numbers.has(target)) continue;
      numbers.set(target, order.push(target) - 1);
    }
  }
  return {
    start: 0,
    transitions: order.map((state) => renumber(dfa.transitions[state] ?? [], (old) => numbers.get(old))),
    accepting: order.map((state) => dfa.accepting[state] === true),
  };
}

function liveStates(dfa: Dfa): ReadonlySet<number> {
  const sources: number[][] = dfa.transitions.map(() => []);
  dfa.transitions.forEach((transitions, state) => {
    for (const { target } of transitions) sources[target]?.push(state);
  });
  const live = new Set([...dfa.accepting.keys()].filter((state) => dfa.accepting[state]));
  for (const state of live) for (const source of sources[state] ?? []) live.add(source);
  return live;
}

function renumber(
  transitions: readonly Transition[],
  numberOf: (state: number) => number | undefined,
): readonly Transition[] {
  const renumbered: Transition[] = [];
  for (const { low, high, target } of transitions) {
    const number = numberOf(target);
    if (number !== undefined) appendTransition(renumbered, { low, high, target: number });
  }
  return renumbered;
}

/**
 * The alphabet in classes of characters that behave alike; a column says for one class where each state goes.
 * One state more than the automaton has, the last, stands for refusal.
 */
function targetColumns(dfa: Dfa): readonly Int32Array[] {
  const refusal = dfa.transitions.length;
  const ends = dfa.transitions.flatMap((transitions) =>
    transitions.flatMap(({ low, high }) => [low, high + 1]),
  );
  const cuts = [...new Set(ends)].sort((a, b) => a - b);
  if (cuts.length * refusal > MAX_TABLE_CELLS) return [];
  const indexOf = new Map(cuts.map((cut, index) => [cut, index]));
  const columns = cuts.slice(0, -1).map(() => new Int32Array(refusal + 1).fill(refusal));
  dfa.transitions.forEach((transitions, state) => {
    for (const { low, high, target } of transitions) {
      const end = indexOf.get(high + 1) ?? 0;
      for (let index = indexOf.get(low) ?? 0; index < end; index++) {
        const column = columns[index];
        if (column) column[state] = target;
      }
    }
  });
  return withoutRepetition(columns);
}

function withoutRepetition(columns: readonly Int32Array[]): readonly Int32Array[] {
  const byHash = new Map<number, Int32Array[]>();
  const distinct: Int32Array[] = [];
  for (const column of columns) {
    const hash = column.reduce((sum, target) => (Math.imul(sum, 31) + target) | 0, 0);
    const similar = byHash.get(hash) ?? [];
    byHash.set(hash, similar);
    if (similar.some((other) => other.every((target, state) => target === column[state]))) continue;
    similar.push(column);
    distinct.push(column);
  }
  return distinct;
}

/** Hopcroft's algorithm: a block of states splits where some of them enter a splitter and others do not. */
function refine(dfa: Dfa, columns: readonly Int32Array[]): Partition {
  const inverses = columns.map(invert);
  const partition = new Partition(dfa.transitions.length + 1);
  partition.split([...dfa.accepting.keys()].filter((state) => dfa.accepting[state]));
  // What enters one of the two blocks does not enter the other, so the smaller one is enough to begin with.
  const splitters = new Set([partition.sizeOf(0) < partition.sizeOf(1) ? 0 : 1]);
  for (const splitter of splitters) {
    splitters.delete(splitter);
    const members = partition.membersOf(splitter);
    for (const inverse of inverses) {
      const sources = sourcesOf(members, inverse);
      for (const { kept, added } of sources.length > 0 ? partition.split(sources) : []) {
        const isKeptSmaller = partition.sizeOf(kept) < partition.sizeOf(added);
        splitters.add(!splitters.has(kept) && isKeptSmaller ? kept : added);
      }
    }
  }
  return partition;
}

/** The states that lead to each state, side by side: those of `target` begin at `first[target]`. */
interface Inverse {
  readonly first: Int32Array;
  readonly sources: Int32Array;
}

function invert(column: Int32Array): Inverse {
  const first = new Int32Array(column.length + 1);
  for (const target of column) first[target + 1] = (first[target + 1] ?? 0) + 1;
  for (let state = 0; state < column.length; state++) {
    first[state + 1] = (first[state + 1] ?? 0) + (first[state] ?? 0);
  }
  const next = first.slice();
  const sources = new Int32Array(column.length);
  column.forEach((target, state) => {
    const place = next[target] ?? 0;
    sources[place] = state;
    next[target] = place + 1;
  });
  return { first, sources };
}

function sourcesOf(targets: readonly number[], { first, sources }: Inverse): readonly number[] {
  const found: number[] = [];
  for (const target of targets) {
    const end = first[target + 1] ?? 0;
    for (let place = first[target] ?? 0; place < end; place++) found.push(sources[place] ?? 0);
  }
  return found;
}

function mergeBlocks(dfa: Dfa, partition: Partition): Dfa {
  const numbers = new Map<number, number>();
  const kept: number[] = [];
  dfa.transitions.forEach((_, state) => {
    const block = partition.blockOf(state);
    if (!numbers.has(block)) numbers.set(block, kept.push(state) - 1);
  });
  const numberOf = (state: number) => numbers.get(partition.blockOf(state));
  return {
    start: numberOf(dfa.start) ?? 0,
    transitions: kept.map((state) => renumber(dfa.transitions[state] ?? [], numberOf)),
    accepting: kept.map((state) => dfa.accepting[state] === true),
  };
}
