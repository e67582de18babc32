import fc from 'fast-check';
import type { Block, FinishEvent, FinishReason, TextEvent } from '../../src/text/text-event.ts';
import { anyCharacter } from '../fuzz/any-character.ts';

/** A block of an answer and its deltas. */
export interface ScriptedBlock {
  readonly block: Block;
  /** Non-empty. */
  readonly deltas: readonly string[];
}

/** Any list of events that an engine may send. */
export function eventLists(): fc.Arbitrary<readonly TextEvent[]> {
  return fc
    .record({
      promptTokens: fc.option(fc.nat(), { nil: undefined }),
      blocks: blockLists(),
      finish: finishes(),
    })
    .map(({ promptTokens, blocks, finish }) => [
      { type: 'start', promptTokens },
      ...blocks.flatMap(blockEvents),
      finish,
    ]);
}

/** The blocks of a list of events, in order. */
export function scriptedBlocks(events: readonly TextEvent[]): readonly ScriptedBlock[] {
  const blocks: { readonly block: Block; readonly deltas: string[] }[] = [];
  for (const event of events) {
    if (event.type === 'block-start') blocks.push({ block: event.block, deltas: [] });
    if (event.type === 'block-delta') blocks.at(-1)?.deltas.push(event.text);
  }
  return blocks;
}

export function blockEvents({ block, deltas }: ScriptedBlock): readonly TextEvent[] {
  return [
    { type: 'block-start', block },
    ...deltas.map((text): TextEvent => ({ type: 'block-delta', text })),
    { type: 'block-end' },
  ];
}

function blockLists(): fc.Arbitrary<readonly ScriptedBlock[]> {
  return fc.uniqueArray(fc.record({ block: blocks(), deltas: fc.array(deltas(), { maxLength: 4 }) }), {
    maxLength: 6,
    selector: ({ block }) => (block.type === 'tool-call' ? block.id : Symbol('no id')),
  });
}

function blocks(): fc.Arbitrary<Block> {
  return fc.oneof(
    fc.constant<Block>({ type: 'text' }),
    fc.constant<Block>({ type: 'reasoning' }),
    fc.record({
      type: fc.constant('tool-call' as const),
      id: fc.stringMatching(/^call_[a-zA-Z0-9]{1,8}$/),
      name: fc.stringMatching(/^[a-zA-Z0-9_-]{1,16}$/),
    }),
  );
}

// Breaks in a stream's framing, JSON escapes, multi-byte characters, half a surrogate pair.
const awkwardDeltas = [
  '\n\n',
  '\r\n',
  'data: [DONE]\n\n',
  'event: error\n',
  '"\\',
  '\u2028\u0000',
  '🦊é漢',
  '\ud83e',
];

function deltas(): fc.Arbitrary<string> {
  return fc.oneof(fc.string({ unit: anyCharacter, minLength: 1 }), fc.constantFrom(...awkwardDeltas));
}

const reasons: readonly FinishReason[] = ['stop', 'length', 'tool-calls', 'refusal'];

function finishes(): fc.Arbitrary<FinishEvent> {
  return fc.record({
    type: fc.constant('finish' as const),
    reason: fc.constantFrom(...reasons),
    stopSequence: fc.option(fc.string({ minLength: 1 }), { nil: undefined }),
    usage: fc.record({ promptTokens: fc.nat(), completionTokens: fc.nat() }),
  });
}
