import { describe, expect, it } from 'vitest';
import { corpusBody, messagesCorpus } from '../../../../testing/text/messages-corpus.ts';
import type { Conversation } from '../../conversation.ts';
import { messagesRequestSchema } from './messages-request-schema.ts';
import { messagesWire, openCount } from './messages-wire.ts';

const context = { models: ['served'], answerId: 'answer', created: 0 };

function conversationOf(name: string): Conversation {
  return messagesWire.open(corpusBody(name), context).conversation;
}

const reminder = {
  type: 'text',
  text: '<system-reminder>\nToday is a weekday.\n</system-reminder>',
  isReminder: true,
};
const said = (text: string) => ({ type: 'text', text });
const user = (...parts: unknown[]) => ({ role: 'user', parts });
const result = (callId: string, parts: readonly unknown[], isError = false) => ({
  role: 'tool',
  callId,
  parts,
  isError,
});
const folder = said('<system-reminder>\nThe folder is /proj.\n</system-reminder>');

describe('requests that agents and SDKs send', () => {
  it('joins the system message of a first turn to the user’s text', () => {
    const { system, turns } = conversationOf('first-turn');
    expect(system).toBe('You are a coding agent.\n\nAnswer briefly.');
    expect(turns).toEqual([user(folder, said('hi'), reminder)]);
  });

  it('puts the results of parallel calls right after their calls, and text after them', () => {
    expect(conversationOf('parallel-results').turns).toEqual([
      user(said('read both'), reminder),
      {
        role: 'assistant',
        text: 'Reading.',
        toolCalls: [
          { id: 'toolu_a', name: 'Read', arguments: '{"path":"a.txt"}' },
          { id: 'toolu_b', name: 'Read', arguments: '{"path":"b.txt"}' },
          { id: 'call_c|x.y', name: 'Bash', arguments: '{}' },
        ],
      },
      result('toolu_a', [said('1\talpha')]),
      result('toolu_b', [said('1\tbeta')]),
      result('call_c|x.y', [said('Exit code 3\nout')], true),
      user(said('Go on.')),
    ]);
  });

  it('keeps an image and a document inside a tool result', () => {
    expect(conversationOf('image-result').turns.at(-1)).toMatchObject({
      role: 'tool',
      callId: 'toolu_i',
      parts: [{ type: 'image', mediaType: 'image/png', base64: expect.stringMatching(/^iVBOR/) }],
    });
    expect(conversationOf('document-result').turns.at(-1)).toMatchObject({
      role: 'tool',
      callId: 'toolu_d',
      parts: [
        said('PDF file read: note.pdf'),
        { type: 'document', mediaType: 'application/pdf', base64: 'JVBERi0xLjQK' },
      ],
    });
  });

  it('says in text which tool was loaded, and keeps deferred tools', () => {
    const { turns, tools } = conversationOf('tool-search');
    expect(turns.slice(-2)).toEqual([
      result('toolu_s', [said('[tool loaded: WebFetch]')]),
      user(said('Tool loaded.')),
    ]);
    expect(tools.map(({ name }) => name)).toEqual([
      'Bash',
      'Read',
      'DeferredToolPlaceholder',
      'ToolSearch',
      'WebFetch',
    ]);
  });

  it('asks for a title in the form of its schema, without tools', () => {
    const { output, tools, system } = conversationOf('title');
    expect(output).toMatchObject({ type: 'schema', name: 'output', schema: { required: ['title'] } });
    expect(tools).toEqual([]);
    expect(system).toBe('Write a title for the session.');
  });

  it('reads a summary request as alternating turns', () => {
    const roles = conversationOf('compact').turns.map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  });

  it('reads the request of a subagent', () => {
    const { turns, tools } = conversationOf('subagent');
    expect(turns).toHaveLength(1);
    expect(tools).toHaveLength(2);
  });

  it('raises the small answer of a classifier to the floor', () => {
    const { sampling } = conversationOf('classifier');
    expect(sampling).toMatchObject({ maxTokens: 8000, temperature: 0, stop: ['</block>'] });
    expect(conversationOf('first-turn').sampling.maxTokens).toBe(16_000);
  });

  it('leaves out a tool that only its vendor can run, and the choice of it', () => {
    expect(conversationOf('web-search')).toMatchObject({ tools: [], toolChoice: 'auto' });
  });

  it('forces one call where a client wants JSON by way of a tool', () => {
    expect(conversationOf('forced-tool')).toMatchObject({
      tools: [
        { name: 'json', description: 'Respond with JSON.', strict: true, parameters: { type: 'object' } },
      ],
      toolChoice: 'required',
      parallelToolCalls: false,
    });
  });

  it.each(messagesCorpus())('counts the prompt of the call: $name', ({ body }) => {
    const { sampling: _sampling, ...prompt } = messagesWire.open(body, context).conversation;
    expect(openCount(body).conversation).toMatchObject(prompt);
    expect(messagesRequestSchema.safeParse(body).success).toBe(true);
  });

  it('makes the same prompt although the billing line changes', () => {
    const body = corpusBody('title');
    const changed = JSON.parse(JSON.stringify(body).replace('9.9.006', '9.9.777'));
    expect(changed).not.toEqual(body);
    expect(openCount(changed)).toEqual(openCount(body));
  });
});
