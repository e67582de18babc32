import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TextEvent } from '../../../text-event.ts';
import { AnswerParser } from './answer-parser.ts';

interface Parsed {
  readonly blocks: readonly string[];
  readonly stopSequence: string | undefined;
  readonly hasCalls: boolean;
}

function parse(
  pieces: readonly string[],
  { stop = [], mayCall = true }: { stop?: readonly string[]; mayCall?: boolean } = {},
): Parsed {
  let calls = 0;
  const parser = new AnswerParser({ stop, mayCall, newCallId: () => `call_${calls++}` });
  const events: TextEvent[] = [];
  for (const piece of pieces) {
    parser.push(piece, events);
    if (parser.afterMark !== undefined) parser.beginCalls(events);
    if (parser.stopSequence !== undefined) break;
  }
  parser.finish(events);
  return { blocks: blocksOf(events), stopSequence: parser.stopSequence, hasCalls: parser.hasCalls };
}

function blocksOf(events: readonly TextEvent[]): readonly string[] {
  const blocks: string[] = [];
  for (const event of events) {
    if (event.type === 'block-start') {
      const { block } = event;
      blocks.push(block.type === 'tool-call' ? `${block.id} ${block.name} ` : `${block.type} `);
    }
    if (event.type === 'block-delta') blocks[blocks.length - 1] += event.text;
  }
  return blocks;
}

const call = (name: string, given: string) =>
  `<tool_call>\n{"name": "${name}", "arguments": ${given}}\n</tool_call>`;

describe('an answer', () => {
  it('is text, without the space before its first word', () => {
    expect(parse(['\n', '\n', 'Hello', ' you'])).toMatchObject({ blocks: ['text \n\nHello you'] });
    expect(parse(['\n', ' '])).toMatchObject({ blocks: [] });
  });

  it('ends before a stop sequence', () => {
    expect(parse(['one E', 'N', 'D two'], { stop: ['END'] })).toMatchObject({
      blocks: ['text one '],
      stopSequence: 'END',
    });
    expect(parse(['one E', 'N'], { stop: ['END'] })).toMatchObject({
      blocks: ['text one EN'],
      stopSequence: undefined,
    });
  });

  it('is parsed the same however it is split', () => {
    const nested = '{"a": "} \\" </tool_call>", "b": [{"c": {}}]}';
    const whole = `Let me see.\n${call('look', nested)}\n${call('go', '{}')}`;
    fc.assert(
      fc.property(fc.array(fc.nat({ max: whole.length }), { maxLength: 30 }), (cuts) => {
        const edges = [0, ...cuts.sort((a, b) => a - b), whole.length];
        const pieces = edges.slice(1).map((edge, index) => whole.slice(edges[index], edge));
        expect(parse(pieces)).toMatchObject({
          blocks: ['text Let me see.\n', `call_0 look ${nested}`, 'call_1 go {}'],
          hasCalls: true,
        });
      }),
    );
  });

  it('has no text block before a call that follows only whitespace', () => {
    expect(parse(['\n\n', call('go', '{"a": 1}')])).toMatchObject({ blocks: ['call_0 go {"a": 1}'] });
  });

  it('keeps the text of a call that was cut off', () => {
    expect(parse([call('go', '{"a": "long').slice(0, -14)])).toMatchObject({
      blocks: ['call_0 go {"a": "long'],
    });
    expect(parse(['<tool_call>\n{"name": "g'])).toMatchObject({ blocks: [], hasCalls: false });
  });

  it('contains the mark of a call as text if no tool may be called', () => {
    const text = call('go', '{}');
    expect(parse([text], { mayCall: false })).toMatchObject({ blocks: [`text ${text}`], hasCalls: false });
  });

  it('goes on as text after a mark that no call follows', () => {
    const parser = new AnswerParser({ stop: [], mayCall: true, newCallId: () => 'id' });
    const events: TextEvent[] = [];
    parser.push('The mark <tool_call> is', events);
    expect(parser.afterMark).toBe(' is');
    parser.takeMarkAsText(events);
    parser.push(' a mark <tool_', events);
    parser.finish(events);
    expect(blocksOf(events)).toEqual(['text The mark <tool_call> is a mark <tool_']);
  });
});
