import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../testing/text/engine-conversations.ts';
import { hasSchemas, OutputGathering } from './complete-outputs.ts';
import type { OutputForm, Tool } from './conversation.ts';
import type { Block, FinishEvent, TextEvent } from './text-event.ts';

const schema = { type: 'object' };
const underSchema: OutputForm = { type: 'schema', name: 'a', schema };
const tools: readonly Tool[] = [
  { name: 'look', description: undefined, parameters: { title: 'of look' }, strict: false },
  { name: 'wait', description: undefined, parameters: { title: 'of wait' }, strict: false },
];
const call = (name: string): Block => ({ type: 'tool-call', id: 'call_1', name });

function block(of: Block, ...deltas: readonly string[]): readonly TextEvent[] {
  const texts = deltas.map((text) => ({ type: 'block-delta', text }) as const);
  return [{ type: 'block-start', block: of }, ...texts, { type: 'block-end' }];
}

function finish(reason: FinishEvent['reason'], stopSequence?: string): readonly TextEvent[] {
  return [{ type: 'finish', reason, stopSequence, usage: { promptTokens: 1, completionTokens: 1 } }];
}

function gathered(output: OutputForm, ...batches: readonly (readonly TextEvent[])[]) {
  const gathering = new OutputGathering({ output, tools });
  for (const batch of batches) gathering.add(batch);
  return gathering.outputs();
}

describe('the outputs of an answer', () => {
  it('are its text without reasoning, if it has a schema', () => {
    const events = [block({ type: 'reasoning' }, 'Hm'), block({ type: 'text' }, '{"a"', ': 1}')];
    expect(gathered(underSchema, ...events, finish('stop'))).toEqual([
      { of: 'answer', text: '{"a": 1}', schema },
    ]);
  });

  it('are the arguments of each call, without text beside them', () => {
    const events = [
      block({ type: 'text' }, 'I look.'),
      block(call('look'), '{"at"', ':1}'),
      block(call('wait')),
      block(call('x')),
    ];
    expect(gathered(underSchema, ...events, finish('tool-calls'))).toEqual([
      { of: 'tool-arguments', text: '{"at":1}', schema: { title: 'of look' } },
      { of: 'tool-arguments', text: '{}', schema: { title: 'of wait' } },
    ]);
  });

  it.each<[string, OutputForm, readonly TextEvent[]]>([
    ['cut by its length', underSchema, finish('length')],
    ['refused by the model', underSchema, finish('refusal')],
    ['cut by a stop sequence', underSchema, finish('stop', '}')],
    ['that is not over', underSchema, []],
    ['without a schema', { type: 'json' }, finish('stop')],
  ])('are none for one %s', (_, output, end) => {
    expect(gathered(output, block({ type: 'text' }, '{}'), end)).toEqual([]);
  });

  it('are none for one that is too long to check', () => {
    const text = block({ type: 'text' }, 'x'.repeat(300_000), 'x'.repeat(300_000));
    expect(gathered(underSchema, text, finish('stop'))).toEqual([]);
  });
});

describe('a conversation', () => {
  it('has schemas if it has tools or an output schema', () => {
    const tool = { name: 'look', description: undefined, parameters: undefined, strict: false };
    expect(hasSchemas({ conversation: conversationOf({ output: underSchema }) })).toBe(true);
    expect(hasSchemas({ conversation: conversationOf({ tools: [tool] }) })).toBe(true);
    expect(hasSchemas({ conversation: conversationOf({ output: { type: 'json' } }) })).toBe(false);
  });
});
