import { describe, expect, test } from 'vitest';
import { chatBody, chatContext, openChat } from '../../../../testing/text/chat-requests.ts';
import { Fault } from '../../../faults/fault.ts';
import { chatWire } from './chat-wire.ts';

const PNG = 'data:image/png;base64,iVBORw0KGgo=';
const tool = (name: string, more: object = {}): object => ({ type: 'function', function: { name, ...more } });

function faultOf(act: () => unknown): Fault {
  try {
    act();
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
}

test('a request with only what is required gets every default', () => {
  const exchange = openChat();
  expect(exchange).toMatchObject({ streaming: false, countFirst: false });
  expect(exchange.conversation).toEqual({
    system: undefined,
    turns: [{ role: 'user', parts: [{ type: 'text', text: 'Hello' }] }],
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
    output: { type: 'text' },
    sampling: {
      maxTokens: 8000,
      temperature: undefined,
      topP: undefined,
      topK: undefined,
      stop: [],
      seed: undefined,
      presencePenalty: undefined,
      frequencyPenalty: undefined,
    },
    templateArguments: {},
  });
});

test('null in every optional field is the same as its absence', () => {
  const optional = [
    ...[
      'stream',
      'stream_options',
      'temperature',
      'top_p',
      'max_tokens',
      'max_completion_tokens',
      'stop',
      'n',
    ],
    ...['seed', 'presence_penalty', 'frequency_penalty', 'tools', 'tool_choice', 'parallel_tool_calls'],
    ...['response_format', 'chat_template_kwargs'],
  ];
  const exchange = openChat(Object.fromEntries(optional.map((name) => [name, null])));
  expect(exchange.streaming).toBe(false);
  expect(exchange.conversation).toEqual(openChat().conversation);
});

test('unknown fields are ignored at every level', () => {
  const exchange = openChat({
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Hello', cache_control: {} }], name: 'a', x: 1 },
    ],
    ...{ user: 'u', metadata: 5, store: true, service_tier: 'auto', reasoning_effort: 'low', logit_bias: {} },
    ...{ enable_thinking: false, top_k: 5, functions: [], function_call: 'auto', logprobs: 'odd' },
    stream_options: { include_obfuscation: true },
    response_format: { type: 'text', verbosity: 3 },
  });
  expect(exchange.conversation).toEqual(openChat().conversation);
});

describe('accepted', () => {
  test.each([
    ['temperature', { temperature: 0 }, { temperature: 0 }],
    ['temperature at its most', { temperature: 2 }, { temperature: 2 }],
    ['top_p', { top_p: 1 }, { topP: 1 }],
    ['a stop string', { stop: 'END' }, { stop: ['END'] }],
    ['four stop strings', { stop: ['a', 'b', 'c', 'd'] }, { stop: ['a', 'b', 'c', 'd'] }],
    ['empty stop strings, which stop nothing', { stop: ['', 'b'] }, { stop: ['b'] }],
    ['n of one', { n: 1 }, {}],
    ['a seed', { seed: -7 }, { seed: -7 }],
    [
      'penalties',
      { presence_penalty: -2, frequency_penalty: 2 },
      { presencePenalty: -2, frequencyPenalty: 2 },
    ],
    ['max_tokens below the floor', { max_tokens: 1 }, { maxTokens: 8000 }],
    ['max_tokens below zero', { max_tokens: -5 }, { maxTokens: 8000 }],
    ['max_tokens inside', { max_tokens: 9000 }, { maxTokens: 9000 }],
    ['max_tokens above the ceiling', { max_tokens: 1e30 }, { maxTokens: 16_000 }],
    [
      'max_completion_tokens before max_tokens',
      { max_tokens: 9000, max_completion_tokens: 9500 },
      { maxTokens: 9500 },
    ],
  ])('%s', (_, fields, sampling) => {
    expect(openChat(fields).conversation.sampling).toMatchObject(sampling);
  });

  test.each([
    ['none', 'none', 'none'],
    ['required', 'required', 'required'],
    ['a named tool', { type: 'function', function: { name: 'look' } }, { name: 'look' }],
    [
      'a list of allowed tools',
      { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } },
      'auto',
    ],
    ['a custom tool', { type: 'custom', custom: { name: 'look' } }, 'auto'],
  ])('tool_choice %s', (_, choice, expected) => {
    expect(openChat({ tools: [tool('look')], tool_choice: choice }).conversation.toolChoice).toEqual(
      expected,
    );
  });

  test.each([[undefined], [null], [[]]])('any tool_choice is auto with tools %j', (tools) => {
    const named = { type: 'function', function: { name: 'look' } };
    expect(openChat({ tools, tool_choice: 'required' }).conversation.toolChoice).toBe('auto');
    expect(openChat({ tools, tool_choice: named }).conversation.toolChoice).toBe('auto');
  });

  test('tools, with and without optional members', () => {
    const parameters = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', title: 'T' };
    const tools = [
      tool('full', { description: 'Looks.', parameters, strict: true }),
      tool('nulls', { description: null, parameters: null, strict: null }),
      tool('empty', { parameters: {} }),
    ];
    expect(openChat({ tools, parallel_tool_calls: false }).conversation).toMatchObject({
      parallelToolCalls: false,
      tools: [
        { name: 'full', description: 'Looks.', parameters, strict: true },
        { name: 'nulls', description: undefined, parameters: undefined, strict: false },
        { name: 'empty', description: undefined, parameters: {}, strict: false },
      ],
    });
  });

  test.each([
    ['text', { type: 'text' }, { type: 'text' }],
    ['json_object', { type: 'json_object' }, { type: 'json' }],
    [
      'json_object with a stray schema',
      { type: 'json_object', schema: { type: 'object' } },
      { type: 'json' },
    ],
    [
      'json_schema',
      { type: 'json_schema', json_schema: { name: 'fox', strict: true, schema: { type: 'object' } } },
      { type: 'schema', name: 'fox', schema: { type: 'object' } },
    ],
    [
      'json_schema without a name',
      { type: 'json_schema', json_schema: { schema: {} } },
      { type: 'schema', name: 'answer', schema: {} },
    ],
  ])('response_format %s', (_, format, output) => {
    expect(openChat({ response_format: format }).conversation.output).toEqual(output);
  });

  test('switches of the chat template', () => {
    const given = { enable_thinking: false, effort: 'high', budget: 1.5, extra: null };
    expect(openChat({ chat_template_kwargs: given }).conversation.templateArguments).toEqual(given);
  });

  test('a stream, asked for or not', () => {
    expect(openChat({ stream: true }).streaming).toBe(true);
    expect(openChat({ stream: false, stream_options: { include_usage: true } }).streaming).toBe(false);
  });
});

const image = (url: unknown): object => ({
  messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }],
});
const file = (members: object): object => ({
  messages: [{ role: 'user', content: [{ type: 'file', file: members }] }],
});
const content = (role: string, ...parts: unknown[]): object => ({
  messages: [{ role, content: parts, tool_call_id: 'c' }],
});
const calls = (...toolCalls: unknown[]): object => ({
  messages: [
    { role: 'user', content: 'x' },
    { role: 'assistant', tool_calls: toolCalls },
  ],
});
const INLINE = 'a base64 data URL such as `data:image/png;base64,…`, because nothing is fetched';

describe('refused with 400, naming the field, what was got and what is accepted', () => {
  test.each<[string, object, string]>([
    ['model', { model: undefined }, 'is missing; it must be the name of a model.'],
    ['model', { model: null }, 'must be the name of a model, got null.'],
    ['model', { model: 5 }, 'must be the name of a model, got 5.'],
    ['messages', { messages: undefined }, 'is missing; it must be a non-empty array of messages.'],
    ['messages', { messages: [] }, 'must be a non-empty array of messages, got an empty array.'],
    ['messages', { messages: 'Hello' }, 'must be a non-empty array of messages, got "Hello".'],
    ['messages[0]', { messages: ['Hello'] }, 'must be a message, got "Hello".'],
    [
      'messages[1].role',
      { messages: [{ role: 'user' }, { role: 'function' }] },
      'must be system, developer, user, assistant or tool, got "function".',
    ],
    [
      'messages[0].role',
      { messages: [{ content: 'x' }] },
      'is missing; it must be system, developer, user, assistant or tool.',
    ],
    [
      'messages[0].content',
      { messages: [{ role: 'user', content: 5 }] },
      'must be a string or an array of content parts, got 5.',
    ],
    [
      'messages[0].content',
      { messages: [{ role: 'user', content: {} }] },
      'must be a string or an array of content parts, got an object.',
    ],
    [
      'messages[0].content[1].type',
      content('user', { type: 'text', text: '' }, { type: 'input_audio' }),
      'must be text, image_url or file, got "input_audio".',
    ],
    ['messages[0].content[0]', content('tool', 'x'), 'must be a content part, got "x".'],
    ['messages[0].content[0].text', content('user', { type: 'text' }), 'is missing; it must be a string.'],
    [
      'messages[0].content[0].type',
      content('system', { type: 'image_url' }),
      'must be text or refusal, got "image_url".',
    ],
    [
      'messages[0].content[0].type',
      content('assistant', { type: 'image_url' }),
      'must be text or refusal, got "image_url".',
    ],
    [
      'messages[0].content[0].image_url',
      content('user', { type: 'image_url', image_url: PNG }),
      'must be an object with `url`, got "data:image/png;base64,iVBORw0KGgo=".',
    ],
    [
      'messages[0].content[0].image_url.url',
      image('https://example.com/secret?token=1'),
      `must be ${INLINE}, got "https:…".`,
    ],
    ['messages[0].content[0].image_url.url', image('file:///etc/passwd'), `must be ${INLINE}, got "file:…".`],
    [
      'messages[0].content[0].image_url.url',
      image('data:image/png,raw'),
      `must be ${INLINE}, got "data:image/png,raw".`,
    ],
    [
      'messages[0].content[0].image_url.url',
      image('data:image/png;base64,*'),
      `must be ${INLINE}, got "data:image/png;base64,*".`,
    ],
    [
      'messages[0].content[0].image_url.url',
      image('data:image/png;base64,'),
      `must be ${INLINE}, got "data:image/png;base64,".`,
    ],
    [
      'messages[0].content[0].image_url.url',
      image('x'.repeat(999)),
      `must be ${INLINE}, got a string of 999 characters.`,
    ],
    ['messages[0].content[0].image_url.url', image(null), 'must be a string, got null.'],
    [
      'messages[0].content[0].file.file_data',
      file({ filename: 'a.pdf' }),
      'is missing; it must be base64 data, or `file_id` beside it.',
    ],
    [
      'messages[0].content[0].file.file_data',
      file({ file_data: 'https://x' }),
      `must be ${INLINE}, got "https:…".`,
    ],
    [
      'messages[0].tool_call_id',
      { messages: [{ role: 'tool', content: 'x' }] },
      'is missing; it must be the id of the tool call that it answers.',
    ],
    [
      'messages[0].tool_call_id',
      { messages: [{ role: 'tool', tool_call_id: '', content: 'x' }] },
      'must be the id of the tool call that it answers, got "".',
    ],
    [
      'messages[1].tool_calls[0].id',
      calls({ function: { name: 'a', arguments: '' } }),
      'is missing; it must be a string.',
    ],
    [
      'messages[1].tool_calls[0].function',
      calls({ id: 'c', type: 'custom' }),
      'is missing; it must be an object with `name` and `arguments`.',
    ],
    [
      'messages[1].tool_calls[0].function.arguments',
      calls({ id: 'c', function: { name: 'a', arguments: {} } }),
      'must be JSON text, got an object.',
    ],
    ['stream', { stream: 'true' }, 'must be true or false, got "true".'],
    ['stream_options', { stream_options: true }, 'must be an object, got true.'],
    [
      'stream_options.include_usage',
      { stream_options: { include_usage: 1 } },
      'must be true or false, got 1.',
    ],
    ['temperature', { temperature: 2.1 }, 'must be a number from 0 to 2, got 2.1.'],
    ['temperature', { temperature: -1 }, 'must be a number from 0 to 2, got -1.'],
    ['temperature', { temperature: '1' }, 'must be a number from 0 to 2, got "1".'],
    ['top_p', { top_p: 0 }, 'must be a number above 0, up to 1, got 0.'],
    ['top_p', { top_p: 1.5 }, 'must be a number above 0, up to 1, got 1.5.'],
    ['max_tokens', { max_tokens: 1.5 }, 'must be an integer, got 1.5.'],
    ['max_tokens', { max_tokens: '9000' }, 'must be an integer, got "9000".'],
    ['max_completion_tokens', { max_completion_tokens: [] }, 'must be an integer, got an empty array.'],
    ['stop', { stop: ['a', 'b', 'c', 'd', 'e'] }, 'must be a string or up to four strings, got an array.'],
    ['stop', { stop: [1] }, 'must be a string or up to four strings, got an array.'],
    ['n', { n: 2 }, 'must be 1, got 2.'],
    ['n', { n: 0 }, 'must be 1, got 0.'],
    ['seed', { seed: 1.5 }, 'must be an integer within ±(2^53 - 1), got 1.5.'],
    ['seed', { seed: 1e30 }, 'must be an integer within ±(2^53 - 1), got 1e+30.'],
    ['presence_penalty', { presence_penalty: 3 }, 'must be a number from -2 to 2, got 3.'],
    ['frequency_penalty', { frequency_penalty: '0' }, 'must be a number from -2 to 2, got "0".'],
    ['tools', { tools: {} }, 'must be an array of tools, got an object.'],
    ['tools[1]', { tools: [tool('a'), null] }, 'must be a tool, got null.'],
    ['tools[0].type', { tools: [{ type: 'custom', custom: {} }] }, 'must be function, got "custom".'],
    ['tools[0].function', { tools: [{ type: 'function' }] }, 'is missing; it must be an object with `name`.'],
    ['tools[0].function.name', { tools: [tool('')] }, 'must be a name, got "".'],
    [
      'tools[0].function.parameters',
      { tools: [tool('a', { parameters: [] })] },
      'must be an object, got an empty array.',
    ],
    [
      'tool_choice',
      { tool_choice: 'any' },
      'must be none, auto, required or an object that names a function, got "any".',
    ],
    [
      'tool_choice.function.name',
      { tools: [tool('a')], tool_choice: tool('b') },
      'must be the name of one of `tools`, got "b".',
    ],
    [
      'tool_choice.function.name',
      { tools: [tool('a')], tool_choice: { type: 'function' } },
      'is missing; it must be the name of one of `tools`.',
    ],
    ['parallel_tool_calls', { parallel_tool_calls: 0 }, 'must be true or false, got 0.'],
    [
      'response_format',
      { response_format: 'json_object' },
      'must be an object with `type`, got "json_object".',
    ],
    [
      'response_format.type',
      { response_format: { type: 'xml' } },
      'must be text, json_object or json_schema, got "xml".',
    ],
    [
      'response_format.json_schema',
      { response_format: { type: 'json_schema' } },
      'is missing; it must be an object with `schema`.',
    ],
    [
      'response_format.json_schema.schema',
      { response_format: { type: 'json_schema', json_schema: { name: 'a' } } },
      'is missing; it must be a JSON Schema object.',
    ],
    ['chat_template_kwargs', { chat_template_kwargs: [1] }, 'must be an object, got an array.'],
    [
      'chat_template_kwargs',
      {
        chat_template_kwargs: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`a${index}`, 1])),
      },
      'must be an object of up to 32 members, got an object.',
    ],
    [
      'chat_template_kwargs',
      { chat_template_kwargs: { ['a'.repeat(65)]: 1 } },
      'must be an object whose names have up to 64 characters, got an object.',
    ],
    [
      'chat_template_kwargs.a',
      { chat_template_kwargs: { a: { b: 1 } } },
      'must be a string of up to 1000 characters, a number, true, false or null, got an object.',
    ],
    ...[
      ...['chat_template', 'messages', 'conversation', 'tools', 'documents', 'tokenize', 'return_dict'],
      ...['return_tensors', 'padding', 'truncation', 'max_length', 'add_generation_prompt'],
      ...['continue_final_message', 'add_special_tokens'],
    ].map((name): [string, object, string] => [
      `chat_template_kwargs.${name}`,
      { chat_template_kwargs: { enable_thinking: true, [name]: false } },
      'must be left out, for it changes how the prompt is built, got false.',
    ]),
  ])('%s: %j', (param, fields, message) => {
    const fault = faultOf(() => openChat({ ...fields }));
    expect(fault).toMatchObject({ code: 'invalid-request', param, message: `\`${param}\` ${message}` });
  });

  test('an argument of the template that is too long', () => {
    const long = { a: 'x'.repeat(1_000), b: 'x'.repeat(1_001) };
    expect(faultOf(() => openChat({ chat_template_kwargs: long })).message).toBe(
      '`chat_template_kwargs.b` must be a string of up to 1000 characters, a number, true, false or null, got a string of 1001 characters.',
    );
  });

  test.each([
    [null, 'null'],
    [[], 'an empty array'],
    ['text', '"text"'],
    [undefined, undefined],
  ])('a body that is %j', (body, got) => {
    const fault = faultOf(() => chatWire.open(body, chatContext));
    const rest =
      got === undefined ? 'is missing; it must be a JSON object.' : `must be a JSON object, got ${got}.`;
    expect(fault).toMatchObject({ code: 'invalid-request', param: undefined, message: `The body ${rest}` });
  });
});

describe('the model', () => {
  test('that the stack does not serve is a 404', () => {
    const fault = faultOf(() => chatWire.open(chatBody({ model: 'wolf' }), chatContext));
    expect(fault).toMatchObject({ code: 'model-not-found', status: 404, param: 'model' });
    expect(fault.message).toBe('This stack serves "fox", "vixen", not "wolf".');
  });

  test('is named in the answer as it was asked for', () => {
    const reply = openChat({ model: 'vixen' }).reply({
      blocks: [],
      reason: 'stop',
      stopSequence: undefined,
      usage: { promptTokens: 1, completionTokens: 0 },
    });
    expect(JSON.parse(reply)).toMatchObject({ model: 'vixen', id: 'chatcmpl-abc', created: 1_800_000_000 });
  });
});
