import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { collectReply } from '../../../../testing/text/engine-answers.ts';
import { eventLists } from '../../../../testing/text/event-lists.ts';
import { parseResponseStream, rebuildOutput } from '../../../../testing/text/response-stream.ts';
import { Fault } from '../../../faults/fault.ts';
import type { FinishReason, TextEvent } from '../../text-event.ts';
import type { TextRequest } from '../../text-wire.ts';
import { conversationOf, readResponse } from './read-response.ts';
import { openResponse } from './responses-wire.ts';

const context = { answerId: '01', created: 7, stored: false };
const tools = [
  { type: 'custom', name: 'patch' },
  { type: 'namespace', name: 'mcp__files', tools: [{ type: 'function', name: 'read', parameters: {} }] },
];
const body = { model: 'served', input: 'hi', tools };

function open(fields: object = {}): TextRequest {
  const read = readResponse({ ...body, ...fields });
  return openResponse(read, conversationOf(read, { history: [], input: read.input }), context);
}

function streamOf(events: readonly TextEvent[], exchange = open()) {
  const writer = exchange.writer();
  return parseResponseStream(events.map((event) => writer.write(event)).join(''));
}

async function replyTo(events: readonly TextEvent[], exchange = open()): Promise<Record<string, unknown>> {
  async function* once(): AsyncGenerator<readonly TextEvent[]> {
    yield events;
  }
  return JSON.parse(exchange.reply(await collectReply(once())));
}

const start: TextEvent = { type: 'start', promptTokens: undefined };
const finish = (reason: FinishReason): TextEvent => ({
  type: 'finish',
  reason,
  stopSequence: undefined,
  usage: { promptTokens: 12, completionTokens: 34 },
});
const said = (text: string): readonly TextEvent[] => [
  { type: 'block-start', block: { type: 'text' } },
  { type: 'block-delta', text },
  { type: 'block-end' },
];
const thought = (text: string): readonly TextEvent[] => [
  { type: 'block-start', block: { type: 'reasoning' } },
  { type: 'block-delta', text },
  { type: 'block-end' },
];
const called = (name: string, text: string): readonly TextEvent[] => [
  { type: 'block-start', block: { type: 'tool-call', id: `call_${name}`, name } },
  ...(text === '' ? [] : [{ type: 'block-delta', text } as const]),
  { type: 'block-end' },
];

describe('a stream of the responses format', () => {
  it('sends a text in the events that clients expect', () => {
    const events = streamOf([start, ...said('Hello "you"'), finish('stop')]);
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events[4]).toEqual({
      type: 'response.output_text.delta',
      sequence_number: 4,
      item_id: 'msg_01_0',
      output_index: 0,
      content_index: 0,
      logprobs: [],
      delta: 'Hello "you"',
    });
    expect(events.at(-1)).toMatchObject({
      response: {
        id: 'resp_01',
        object: 'response',
        created_at: 7,
        status: 'completed',
        model: 'served',
        output: [
          {
            id: 'msg_01_0',
            type: 'message',
            status: 'completed',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'Hello "you"', annotations: [], logprobs: [] }],
          },
        ],
        usage: {
          input_tokens: 12,
          input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
          output_tokens: 34,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 46,
        },
        error: null,
        incomplete_details: null,
      },
    });
  });

  it('sends calls under the client’s names', () => {
    const events = streamOf([
      start,
      ...called('patch', '{"input":"*** Begin"}'),
      ...called('read', ''),
      finish('tool-calls'),
    ]);
    expect(rebuildOutput(events)).toEqual([
      {
        id: 'ctc_01_0',
        type: 'custom_tool_call',
        status: 'completed',
        call_id: 'call_patch',
        name: 'patch',
        input: '*** Begin',
      },
      {
        id: 'fc_01_1',
        type: 'function_call',
        status: 'completed',
        call_id: 'call_read',
        name: 'read',
        namespace: 'mcp__files',
        arguments: '{}',
      },
    ]);
    expect(events.at(-1)?.type).toBe('response.completed');
  });

  it('shows reasoning as text, or as a summary with a carrier if requested', () => {
    const asked = open({ reasoning: { summary: 'auto' }, include: ['reasoning.encrypted_content'] });
    const events = [start, ...thought('Think.'), ...said('Yes.'), finish('stop')];
    expect(rebuildOutput(streamOf(events))[0]).toEqual({
      id: 'rs_01_0',
      type: 'reasoning',
      status: 'completed',
      summary: [],
      content: [{ type: 'reasoning_text', text: 'Think.' }],
    });
    expect(rebuildOutput(streamOf(events, asked))[0]).toEqual({
      id: 'rs_01_0',
      type: 'reasoning',
      status: 'completed',
      summary: [{ type: 'summary_text', text: 'Think.' }],
      encrypted_content: expect.stringMatching(/^sg1\./),
    });
  });

  it('ends a truncated answer as incomplete', () => {
    const events = streamOf([start, ...said('One'), ...said('Tw'), finish('length')]);
    expect(rebuildOutput(events)).toMatchObject([{ status: 'completed' }, { status: 'incomplete' }]);
    expect(events.at(-1)).toMatchObject({
      type: 'response.incomplete',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    });
  });

  it('sends pings as events, after the first ones', () => {
    const writer = open().writer();
    const events = parseResponseStream(
      writer.ping() +
        writer.ping() +
        [...said('a'), finish('stop')].map((event) => writer.write(event)).join(''),
    );
    expect(events.slice(0, 4).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'keepalive',
      'keepalive',
    ]);
    expect(rebuildOutput(events)).toHaveLength(1);
  });

  it.each([
    ['context-length-exceeded', 'context_length_exceeded'],
    ['token-budget-exceeded', 'rate_limit_exceeded'],
    ['engine-failed', 'server_error'],
  ] as const)('fails as a response: %s', (code, told) => {
    const writer = open().writer();
    const events = parseResponseStream(
      writer.write(start) +
        writer.write(said('a')[0] ?? start) +
        writer.fail(new Fault(code, 'Why.'), 'req_1'),
    );
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: told, message: 'Why.' } },
    });
  });

  it('repeats the settings of the request, and has a value for each that it lacks', async () => {
    const given = {
      instructions: 'Say "hi"\n',
      max_tool_calls: 3,
      metadata: { 'a "b"': '\\' },
      parallel_tool_calls: false,
      previous_response_id: 'resp_0',
      prompt_cache_key: 'k"',
      reasoning: { effort: 'low', summary: 'auto' },
      safety_identifier: 's',
      temperature: 0.25,
      text: { format: { type: 'json_object' }, verbosity: 'low' },
      tool_choice: 'required',
      tools: [{ type: 'function', name: 'f', parameters: { type: 'object' } }],
      top_p: 0.5,
      truncation: 'auto',
      user: 'u"',
    };
    const events = [start, ...said('a'), finish('stop')];
    const asked = await replyTo(events, open(given));
    const tool = { description: null, strict: false, ...given.tools[0] };
    expect(asked).toMatchObject({ ...given, tools: [tool], max_output_tokens: 16_000 });
    const bare = await replyTo(events, open({ tools: undefined }));
    expect(Object.keys(bare)).toEqual(Object.keys(asked));
    expect(bare).toMatchObject({
      conversation: null,
      instructions: null,
      metadata: {},
      reasoning: { effort: null, summary: null },
      text: { format: { type: 'text' } },
      tool_choice: 'auto',
      tools: [],
      truncation: 'disabled',
      user: null,
    });
  });

  it('has the same content in one piece, for any events', async () => {
    await fc.assert(
      fc.asyncProperty(eventLists(), fc.boolean(), async (events, summarises) => {
        const exchange = open(summarises ? { reasoning: { summary: 'auto' } } : {});
        const streamed = streamOf(events, exchange);
        const whole = await replyTo(events, exchange);
        expect(rebuildOutput(streamed)).toEqual(whole.output);
        expect({ ...(streamed.at(-1)?.response as object), completed_at: 0 }).toEqual({
          ...whole,
          completed_at: 0,
        });
      }),
      { seed: 2_026, numRuns: 60 },
    );
  });
});
