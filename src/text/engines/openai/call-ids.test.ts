import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../../../testing/text/engine-conversations.ts';
import { CallIds } from './call-ids.ts';

const conversation = conversationOf({
  turns: [
    { role: 'user', parts: [{ type: 'text', text: 'Look.' }] },
    { role: 'assistant', text: '', toolCalls: [{ id: 'call_0', name: 'look', arguments: '{}' }] },
    { role: 'tool', callId: 'call_0', parts: [], isError: false },
  ],
});

function take(...given: readonly (string | undefined)[]): readonly string[] {
  let made = 0;
  const ids = new CallIds(conversation, () => `made_${++made}`);
  return given.map((id) => ids.take(id));
}

describe('the ids of tool calls', () => {
  it('are those of the server', () => {
    expect(take('call_1', 'call_2')).toEqual(['call_1', 'call_2']);
  });

  it('are made if the server gives none', () => {
    expect(take(undefined, '')).toEqual(['made_1', 'made_2']);
  });

  it('are made if the server repeats one of an earlier turn', () => {
    expect(take('call_0', 'call_1')).toEqual(['made_1', 'call_1']);
  });

  it('are made if the server repeats one within an answer', () => {
    expect(take('call_1', 'call_1')).toEqual(['call_1', 'made_1']);
  });
});
