import { describe, expect, it } from 'vitest';
import { Fault } from '../../../faults/fault.ts';
import type { Conversation } from '../../conversation.ts';
import { messagesWire, openCount } from './messages-wire.ts';

const context = { models: ['served', 'alias'], answerId: 'answer', created: 0 };
const hello = [{ role: 'user', content: 'hello' }];

function open(fields: object): Conversation {
  return messagesWire.open({ model: 'any', messages: hello, ...fields }, context).conversation;
}

function turnsOf(...messages: unknown[]): Conversation['turns'] {
  return open({ messages }).turns;
}

function refusal(body: unknown): Fault {
  try {
    messagesWire.open(body, context);
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error('the body was accepted');
}

const said = (text: string) => ({ type: 'text', text });
const reminded = (text: string) => ({ type: 'text', text, isReminder: true });
const system = (text: string) => reminded(`<system-reminder>\n${text}\n</system-reminder>`);
const call = (id: string, input: unknown = {}) => ({ type: 'tool_use', id, name: 'look', input });
const result = (id: string, content?: unknown) => ({ type: 'tool_result', tool_use_id: id, content });

describe('an invalid body', () => {
  it.each([
    ['a list', [], undefined, 'The body must be a JSON object, got an empty array.'],
    ['null', null, undefined, 'The body must be a JSON object, got null.'],
    ['no model', { messages: hello }, 'model', '`model` is missing; it must be a string.'],
    ['a model that is a number', { model: 7, messages: hello }, 'model', '`model` must be a string, got 7.'],
    [
      'no messages',
      { model: 'm' },
      'messages',
      '`messages` is missing; it must be a non-empty array of messages.',
    ],
    [
      'an empty list of messages',
      { model: 'm', messages: [] },
      'messages',
      '`messages` must be a non-empty array of messages, got an empty array.',
    ],
    [
      'an unknown role',
      { model: 'm', messages: [...hello, { role: 'tool', content: '' }] },
      'messages[1].role',
      '`messages[1].role` must be user, assistant or system, got "tool".',
    ],
    [
      'no content',
      { model: 'm', messages: [{ role: 'user' }] },
      'messages[0].content',
      '`messages[0].content` is missing; it must be a string or an array of content blocks.',
    ],
  ])('is refused: %s', (_what, body, param, message) => {
    expect(refusal(body)).toMatchObject({ status: 400, code: 'invalid-request', param, message });
  });

  it.each([
    ['messages', 'hello', 'must be a non-empty array of messages, got "hello"'],
    ['messages[0]', ['hello'], 'must be a JSON object, got "hello"'],
    ['stream', 'yes', 'must be true or false, got "yes"'],
    ['system', 5, 'must be a string or an array of content blocks, got 5'],
    ['temperature', '1', 'must be a number from 0 to 2, got "1"'],
    ['temperature', 2.1, 'must be a number from 0 to 2, got 2.1'],
    ['temperature', -0.1, 'must be a number from 0 to 2, got -0.1'],
    ['top_p', 0, 'must be a number above 0, up to 1, got 0'],
    ['top_p', 1.01, 'must be a number above 0, up to 1, got 1.01'],
    ['top_k', 1.5, 'must be an integer, got 1.5'],
    ['max_tokens', 9000.5, 'must be an integer, got 9000.5'],
    ['max_tokens', '9000', 'must be an integer, got "9000"'],
    ['stop_sequences', 'END', 'must be an array of at most 4 strings, got "END"'],
    ['stop_sequences', ['1', '2', '3', '4', '5'], 'must be an array of at most 4 strings, got an array'],
    ['stop_sequences[0]', [1], 'must be a string, got 1'],
    ['tools', {}, 'must be an array of tools, got an object'],
    [
      'tools[0]',
      [{ input_schema: {} }],
      'must be a tool with a `name`, a string, and an `input_schema`, an object, got an object',
    ],
    ['tool_choice', 'auto', 'must be an object with a `type`, got "auto"'],
    ['output_config', 'x'.repeat(50), 'must be a JSON object, got a string of 50 characters'],
  ])('is refused by the name of its field: %s', (param, value, rule) => {
    const field = param.replace(/\[.*/, '');
    const fault = refusal({ model: 'm', messages: hello, [field]: value });
    expect(fault).toMatchObject({ status: 400, param, message: `\`${param}\` ${rule}.` });
  });
});

describe('the fields of a request', () => {
  it('treats null in an optional field as absent', () => {
    const optional = [
      'max_tokens',
      'stream',
      'temperature',
      'top_p',
      'top_k',
      'stop_sequences',
      'system',
      'tools',
    ];
    const nulls = Object.fromEntries(
      [...optional, 'tool_choice', 'output_config'].map((name) => [name, null]),
    );
    expect(open(nulls)).toEqual(open({}));
  });

  it.each([
    [undefined, 8000],
    [-5, 8000],
    [64, 8000],
    [12_345, 12_345],
    [128_000, 16_000],
    [1e20, 16_000],
  ])('clamps max_tokens %s to %i', (sent, used) => {
    expect(open({ max_tokens: sent }).sampling.maxTokens).toBe(used);
  });

  it('passes on all settings of the answer', () => {
    const fields = { temperature: 2, top_p: 1, top_k: 40, stop_sequences: ['a', '', 'b'] };
    expect(open(fields).sampling).toEqual({
      maxTokens: 8000,
      temperature: 2,
      topP: 1,
      topK: 40,
      stop: ['a', 'b'],
      seed: undefined,
      presencePenalty: undefined,
      frequencyPenalty: undefined,
    });
    expect(open({ top_k: -1 }).sampling.topK).toBeUndefined();
  });

  it.each([
    [undefined, undefined],
    ['', ''],
    [[], ''],
    ['Be kind.', 'Be kind.'],
    [[said('One.'), said(''), said('Two.')], 'One.\n\nTwo.'],
    [[said('x-anthropic-billing-header: cc_version=1;')], ''],
    ['x-anthropic-billing-header: cc_version=1;\n\nBe kind.', 'Be kind.'],
    [[said('One.'), said('x-anthropic-billing-header: said')], 'One.\n\nx-anthropic-billing-header: said'],
  ])('reads the system prompt %j as %j', (sent, read) => {
    expect(open({ system: sent }).system).toBe(read);
  });

  it.each([
    [undefined, 'auto'],
    [{ type: 'auto' }, 'auto'],
    [{ type: 'any' }, 'required'],
    [{ type: 'none' }, 'none'],
    [{ type: 'tool', name: 'look' }, { name: 'look' }],
    [{ type: 'tool', name: 'absent' }, 'auto'],
    [{ type: 'of-tomorrow' }, 'auto'],
  ])('reads the tool choice %j as %j', (sent, read) => {
    const tools = [{ name: 'look', input_schema: { type: 'object' } }];
    expect(open({ tools, tool_choice: sent }).toolChoice).toEqual(read);
    expect(open({ tools: [], tool_choice: sent }).toolChoice).toBe('auto');
  });

  it('keeps tools with a schema and leaves out all others', () => {
    const schema = { type: 'object', properties: { z: {}, a: {} } };
    const tools = [
      { input_schema: schema, name: 'look', eager_input_streaming: true },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 8 },
      { type: 'of-tomorrow' },
    ];
    expect(open({ tools }).tools).toEqual([
      { name: 'look', description: undefined, parameters: schema, strict: false },
    ]);
  });

  it('needs neither model nor max_tokens to count', () => {
    expect(openCount({ messages: hello }).conversation).toEqual(open({}));
    expect(() => openCount({ model: 'm' })).toThrow('`messages`');
  });

  it('counts first only where the answer is streamed', () => {
    const exchange = (stream: boolean) => messagesWire.open({ model: 'm', messages: hello, stream }, context);
    expect(exchange(true)).toMatchObject({ streaming: true, countFirst: true });
    expect(exchange(false)).toMatchObject({ streaming: false, countFirst: false });
  });
});

describe('bytes that are not base64', () => {
  const source = { type: 'base64', media_type: 'image/png', data: 'not base64!' };
  const image = { type: 'image', source };
  const within = { type: 'document', source: { type: 'content', content: [image] } };
  it.each([
    ['in an image', [said('see'), image], '[1].source.data'],
    ['in a document', [{ type: 'document', source }], '[0].source.data'],
    ['in what a tool gave back', [result('a', [said('x'), image])], '[0].content[1].source.data'],
    ['in a document of blocks', [within], '[0].source.content[0].source.data'],
  ])('are refused %s', (_where, content, path) => {
    const param = `messages[1].content${path}`;
    const body = { model: 'm', messages: [...hello, { role: 'user', content }] };
    const message = `\`${param}\` must be base64, got "not base64!".`;
    expect(refusal(body)).toMatchObject({ status: 400, code: 'invalid-request', param, message });
  });
});

describe('the content of a user', () => {
  const base64 = { type: 'base64', media_type: 'image/png', data: 'AAAA' };
  const title = 'Notes';
  it.each([
    ['text', said('hi'), [said('hi')]],
    [
      'an image',
      { type: 'image', source: base64 },
      [{ type: 'image', mediaType: 'image/png', base64: 'AAAA', name: undefined }],
    ],
    [
      'an image by address',
      { type: 'image', source: { type: 'url', url: 'https://x' } },
      [said('[image: not available]')],
    ],
    [
      'a document',
      { type: 'document', title, source: { ...base64, media_type: 'application/pdf' } },
      [{ type: 'document', mediaType: 'application/pdf', base64: 'AAAA', name: title }],
    ],
    [
      'a document of text',
      { type: 'document', title, source: { type: 'text', media_type: 'text/plain', data: 'body' } },
      [said(title), said('body')],
    ],
    [
      'a document of blocks',
      { type: 'document', source: { type: 'content', content: [said('one'), said('two')] } },
      [said('one'), said('two')],
    ],
    [
      'a search result',
      { type: 'search_result', title, source: 'https://x', content: [said('found')] },
      [said('Notes\n\nhttps://x\n\nfound')],
    ],
    ['a block of tomorrow', { type: 'hologram', data: 1 }, [said('[hologram: not available]')]],
    ['a block of tomorrow with text', { type: 'hologram', content: [said('seen')] }, [said('seen')]],
    ['a block without a type', {}, [said('[content: not available]')]],
  ])('is understood: %s', (_what, block, parts) => {
    expect(turnsOf({ role: 'user', content: [block] })).toEqual([{ role: 'user', parts }]);
    expect(
      turnsOf(
        { role: 'assistant', content: [call('a')] },
        { role: 'user', content: [result('a', [block])] },
      )[1],
    ).toEqual({ role: 'tool', callId: 'a', parts, isError: false });
  });

  it.each([
    [undefined, []],
    ['', [said('')]],
    ['done', [said('done')]],
    [[], []],
    [[{ type: 'tool_reference', tool_name: 'Fetch' }], [said('[tool loaded: Fetch]')]],
  ])('reads the tool result %j', (content, parts) => {
    const turns = turnsOf(
      { role: 'assistant', content: [call('a')] },
      { role: 'user', content: [result('a', content)] },
    );
    expect(turns[1]).toEqual({ role: 'tool', callId: 'a', parts, isError: false });
  });
});

describe('the order of turns', () => {
  it('puts results before text, even if they came after it or in another message', () => {
    const turns = turnsOf(
      { role: 'assistant', content: [call('a')] },
      { role: 'assistant', content: [call('b', { z: 1, a: 2 })] },
      { role: 'user', content: [said('words'), result('b', 'B')] },
      { role: 'user', content: [result('a', 'A')] },
    );
    expect(turns).toEqual([
      {
        role: 'assistant',
        text: '',
        toolCalls: [
          { id: 'a', name: 'look', arguments: '{}' },
          { id: 'b', name: 'look', arguments: '{"z":1,"a":2}' },
        ],
      },
      { role: 'tool', callId: 'b', parts: [said('B')], isError: false },
      { role: 'tool', callId: 'a', parts: [said('A')], isError: false },
      { role: 'user', parts: [said('words')] },
    ]);
  });

  it('turns a result without its call, or a repeated one, into a reminder', () => {
    const heading = reminded('[result of an earlier tool call]');
    expect(turnsOf({ role: 'user', content: [result('lost', 'L'), said('words')] })).toEqual([
      { role: 'user', parts: [heading, reminded('L'), said('words')] },
    ]);
    const twice = { role: 'user', content: [result('a', 'A'), result('a', 'again')] };
    expect(turnsOf({ role: 'assistant', content: [call('a')] }, twice).slice(1)).toEqual([
      { role: 'tool', callId: 'a', parts: [said('A')], isError: false },
      { role: 'user', parts: [heading, reminded('again')] },
    ]);
  });

  it('ignores empty ids', () => {
    const talk = [
      { role: 'assistant', content: [said('I look.'), call('')] },
      { role: 'user', content: [result('', 'seen')] },
    ];
    expect(turnsOf(...talk)).toEqual([
      { role: 'assistant', text: 'I look.', toolCalls: [] },
      { role: 'user', parts: [reminded('[result of an earlier tool call]'), reminded('seen')] },
    ]);
  });

  it('joins a system message to the user before it, else to the next', () => {
    const [s, u, a] = ['system', 'user', 'assistant'].map((role) => ({ role, content: role.charAt(0) }));
    const assistant = { role: 'assistant', text: 'a', toolCalls: [] };
    expect(turnsOf(u, s, a)).toEqual([{ role: 'user', parts: [said('u'), system('s')] }, assistant]);
    expect(turnsOf(s, u)).toEqual([{ role: 'user', parts: [system('s'), said('u')] }]);
    expect(turnsOf(u, a, s, u).at(-1)).toEqual({ role: 'user', parts: [system('s'), said('u')] });
    expect(turnsOf(u, a, s).at(-1)).toEqual({ role: 'user', parts: [system('s')] });
    expect(open({ messages: [s, u] }).system).toBeUndefined();
  });

  it('puts a system message between a call and its result after the result', () => {
    const turns = turnsOf(
      { role: 'assistant', content: [call('a')] },
      { role: 'system', content: [said('s')] },
      { role: 'user', content: [result('a', 'A')] },
    );
    expect(turns.map(({ role }) => role)).toEqual(['assistant', 'tool', 'user']);
  });

  it('drops the reasoning of an assistant, and a turn without anything else', () => {
    const thinking = [
      { type: 'thinking', thinking: 'hm', signature: '' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'server_tool_use', id: 's', name: 'web_search', input: {} },
    ];
    expect(turnsOf(...hello, { role: 'assistant', content: thinking }, ...hello)).toEqual([
      { role: 'user', parts: [said('hello'), said('hello')] },
    ]);
    expect(
      turnsOf(...hello, { role: 'assistant', content: [...thinking, said('a '), said('b ')] })[1],
    ).toEqual({
      role: 'assistant',
      text: 'a b ',
      toolCalls: [],
    });
  });

  it('makes an empty user turn if every message was empty', () => {
    expect(turnsOf({ role: 'assistant', content: [] })).toEqual([{ role: 'user', parts: [said('')] }]);
  });
});
