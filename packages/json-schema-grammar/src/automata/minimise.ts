import { appendTransition, type Dfa, EMPTY_LANGUAGE, type Transition } from './dfa.ts';
import { forEachSource, type Inverse, invertColumn, invertSteps } from './inverse.ts';
import { Partition } from './partition.ts';

/** Above this many table cells, an automaton is not minimised, only trimmed. */
const MAX_TABLE_CELLS = 1_000_000;

/** The minimal automaton of the same language, trimmed. */
export function minimise(dfa: Dfa): Dfa {
  const trimmed = trim(dfa);
  if (trimmed.transitions.length === 1) return trimmed;
  const columns = targetColumns(trimmed);
  if (columns.length === 0) return trimmed;
  return mergeBlocks(trimmed, refine(trimmed, columns));
}

/** Keeps the states that are reachable and from which an accepting state is reachable. */
export function trim(dfa: Dfa): Dfa {
  const live = liveStates(dfa);
  if (!live[dfa.start]) return EMPTY_LANGUAGE;
  const numbers = new Int32Array(dfa.transitions.length).fill(-1);
  const order = [dfa.start];
  numbers[dfa.start] = 0;
  for (const state of order) {
    for (const { target } of dfa.transitions[state] ?? []) {
      if (live[target] && numbers[target] === -1) numbers[target] = order.push(target) - 1;
    }
  }
  return {
    start: 0,
    transitions: order.map((state) => renumber(dfa.transitions[state] ?? [], numbers)),
    accepting: order.map((state) => dfa.accepting[state] === true),
  };
}

/** 1 for each state from which an accepting state is reachable. */
function liveStates(dfa: Dfa): Uint8Array {
  const inverse = invertSteps(dfa);
  const live = new Uint8Array(dfa.transitions.length);
  const found: number[] = [];
  const add = (state: number) => {
    if (live[state]) return;
    live[state] = 1;
    found.push(state);
  };
  for (const [state, accepts] of dfa.accepting.entries()) if (accepts) add(state);
  for (const state of found) forEachSource(inverse, state, add);
  return live;
}

/** Drops transitions to states without a number. */
function renumber(transitions: readonly Transition[], numbers: Int32Array): readonly Transition[] {
  const renumbered: Transition[] = [];
  for (const { low, high, target } of transitions) {
    const number = numbers[target] ?? -1;
    if (number >= 0) appendTransition(renumbered, { low, high, target: number });
  }
  return renumbered;
}

/**
 * The alphabet in classes of characters that behave alike; a column says for one class where each state goes.
 * One state more than the automaton has, the last, stands for refusal.
 */
function targetColumns(dfa: Dfa): readonly Int32Array[] {
  const refusal = dfa.transitions.length;
  const ends = new Set<number>();
  for (const transitions of dfa.transitions) {
    for (const { low, high } of transitions) ends.add(low).add(high + 1);
  }
  const cuts = [...ends].sort((a, b) => a - b);
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
    let hash = 0;
    for (const target of column) hash = (Math.imul(hash, 31) + target) | 0;
    const similar = byHash.get(hash) ?? [];
    byHash.set(hash, similar);
    if (similar.some((other) => other.every((target, state) => target === column[state]))) continue;
    similar.push(column);
    distinct.push(column);
  }
  return distinct;
}

/** Hopcroft's algorithm: splits a block if only some of its states lead into the splitter. */
function refine(dfa: Dfa, columns: readonly Int32Array[]): Partition {
  const inverses = columns.map(invertColumn);
  const partition = new Partition(dfa.transitions.length + 1);
  partition.split([...dfa.accepting.keys()].filter((state) => dfa.accepting[state]));
  // A step leads into exactly one of the two blocks, so the smaller one suffices as the first splitter.
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

function sourcesOf(targets: readonly number[], inverse: Inverse): readonly number[] {
  const found: number[] = [];
  for (const target of targets) forEachSource(inverse, target, (source) => found.push(source));
  return found;
}

function mergeBlocks(dfa: Dfa, partition: Partition): Dfa {
  const blocks = new Map<number, number>();
  const kept: number[] = [];
  const numbers = Int32Array.from(dfa.transitions, (_, state) => {
    const block = partition.blockOf(state);
    const number = blocks.get(block) ?? kept.push(state) - 1;
    blocks.set(block, number);
    return number;
  });
  return {
    start: numbers[dfa.start] ?? 0,
    transitions: kept.map((state) => renumber(dfa.transitions[state] ?? [], numbers)),
    accepting: kept.map((state) => dfa.accepting[state] === true),
  };
}
