import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { responsesBody, responsesCorpus } from '../../../../testing/text/responses-corpus.ts';
import type { Conversation } from '../../conversation.ts';
import { ChatTemplate } from '../../engines/llama/child/chat-template.ts';
import { ForgedMarks } from '../../engines/llama/child/forged-marks.ts';
import { conversationOf, readResponse } from './read-response.ts';
import { sealReasoning } from './reasoning-carrier.ts';

// As those of Qwen 3.5.
const STRICT_TEMPLATE = `{% for m in messages %}{% if m.role == 'system' and not loop.first %}{{ raise_exception('System message must be at the beginning.') }}{% endif %}{{ '<' + m.role + '>' + (m.content or '') }}{% endfor %}`;
const said = (text: string) => ({ type: 'text', text });
const user = (...parts: unknown[]) => ({ role: 'user', parts });
const result = (callId: string, ...parts: unknown[]) => ({ role: 'tool', callId, parts, isError: false });

type Item = Readonly<Record<string, unknown>>;

const strangeTool = fc.record({ type: fc.string().map((text) => `new_${text}`), name: fc.jsonValue() });
/** Items without the outputs of calls; `at` says how much later an output comes. */
const item = fc.oneof(
  fc.string().map((content): Item => ({ type: 'message', role: 'assistant', content })),
  fc.string().map((content): Item => ({ role: 'developer', content })),
  fc.string().map((text): Item => ({ type: 'reasoning', content: [{ type: 'reasoning_text', text }] })),
  fc.jsonValue().map((value): Item => ({ type: 'something_new', call_id: value, role: value })),
  fc.nat(4).map((at): Item => ({ type: 'function_call', name: 'look', arguments: '{}', at })),
);
/** Lists in which each call has an output, at once or some items later. */
const itemLists = fc.array(item).map((items) => {
  const due = new Map<number, Item[]>();
  const listed = items.flatMap((each, index): Item[] => {
    const before = due.get(index) ?? [];
    if (each.type !== 'function_call') return [...before, each];
    const { at, ...call } = each;
    const call_id = `call_${index}`;
    const outputAt = index + 1 + Number(at);
    const output = { type: 'function_call_output', call_id, output: 'seen' };
    due.set(outputAt, [...(due.get(outputAt) ?? []), output]);
    return [...before, { ...call, call_id }];
  });
  const late = [...due].filter(([index]) => index >= items.length).flatMap(([, outputs]) => outputs);
  return [...listed, ...late];
});

function read(body: object): Conversation {
  const asked = readResponse({ model: 'served', ...body });
  return conversationOf(asked, { history: [], input: asked.input }).conversation;
}

function recorded(name: string): Conversation {
  return read({ ...responsesBody(name), model: 'served' });
}

function refusal(body: object): unknown {
  try {
    return read(body);
  } catch (error) {
    return error;
  }
}

describe('recorded requests', () => {
  it.each(responsesCorpus.filter((name) => name !== 'agents-previous'))('are understood: %s', (name) => {
    expect(recorded(name).turns.length).toBeGreaterThan(0);
  });

  it('join the developer messages of Codex to one system text, and leave out unsupported tools', () => {
    const { system, turns, tools, sampling } = recorded('codex-first');
    expect(system).toMatch(/^<16979 characters of prompt>\n\n<2139 characters of prompt>\n<341/);
    expect(turns).toEqual([
      user(said(expect.stringContaining('<environment_context>'))),
      user(said('What is the capital of France?')),
    ]);
    expect(tools.map(({ name }) => name)).toEqual([
      'exec_command',
      'write_stdin',
      'request_user_input',
      'view_image',
      'close_agent',
      'resume_agent',
      'send_input',
      'spawn_agent',
      'wait_agent',
      'get_goal',
      'create_goal',
      'update_goal',
    ]);
    expect(sampling.maxTokens).toBe(16_000);
  });

  it('may have calls of custom tools and of tools in a namespace, with their results', () => {
    expect(recorded('codex-namespace').turns.slice(-2)).toEqual([
      {
        role: 'assistant',
        text: '',
        toolCalls: [{ id: 'call_rec_1', name: 'close_agent', arguments: '{"target":"nobody"}' }],
      },
      result('call_rec_1', said(expect.stringContaining('invalid agent id'))),
    ]);
    const { turns, tools } = recorded('codex-custom');
    expect(turns.at(-2)).toMatchObject({
      toolCalls: [
        { name: 'apply_patch', arguments: expect.stringMatching(/^\{"input":"\*\*\* Begin Patch\\n/) },
      ],
    });
    expect(tools.find(({ name }) => name === 'apply_patch')).toMatchObject({
      description: expect.stringContaining('must match this lark grammar'),
      parameters: { properties: { input: { type: 'string' } }, required: ['input'] },
    });
  });

  it('may have tools among their items, reasoning before a call, and pictures in results', () => {
    expect(recorded('codex-additional-tools').tools.length).toBeGreaterThan(0);
    expect(recorded('codex-reasoning').turns.at(-2)).toMatchObject({ reasoning: 'Let me think.' });
    expect(recorded('codex-mcp-results').turns.at(-1)).toMatchObject({
      parts: [
        said(expect.any(String)),
        said(expect.any(String)),
        { type: 'image', mediaType: 'image/png' },
        said(expect.any(String)),
      ],
    });
    expect(recorded('agents-replay')).toMatchObject({
      system: 'Be brief.',
      turns: [user(said('Weather in Paris?')), { reasoning: 'Thinking about it.' }, { role: 'tool' }],
    });
  });

  it.each(responsesCorpus.filter((name) => name.startsWith('codex')))(
    'suit a template that takes a system message at the beginning only: %s',
    (name) => {
      const template = new ChatTemplate(
        { source: STRICT_TEMPLATE, beginText: '', endText: '<|im_end|>' },
        new ForgedMarks([]),
      );
      expect(template.render(recorded(name))).toMatch(/^<system>/);
    },
  );

  it('may ask for JSON with a schema', () => {
    expect(recorded('langchain-schema').output).toMatchObject({ type: 'schema', name: 'extract' });
  });
});

describe('items', () => {
  it('of the assistant in a row are one turn', () => {
    const { turns } = read({
      input: [
        { role: 'user', content: 'Go.' },
        { type: 'reasoning', summary: [], encrypted_content: sealReasoning('Hm. 🦊') },
        { role: 'assistant', content: [{ type: 'output_text', text: 'I look.' }] },
        { type: 'function_call', call_id: 'a', name: 'look', arguments: '' },
        { type: 'function_call', call_id: 'b', name: 'look', arguments: '{"x":1}' },
        { type: 'function_call_output', call_id: 'b', output: 'B' },
        { type: 'function_call_output', call_id: null, output: 'A' },
        { type: 'something_new', id: 'x_1' },
        { role: 'assistant', content: 'Done.' },
      ],
    });
    expect(turns).toEqual([
      user(said('Go.')),
      {
        role: 'assistant',
        text: 'I look.',
        toolCalls: [
          { id: 'a', name: 'look', arguments: '{}' },
          { id: 'b', name: 'look', arguments: '{"x":1}' },
        ],
        reasoning: 'Hm. 🦊',
      },
      result('b', said('B')),
      result('a', said('A')),
      { role: 'assistant', text: 'Done.', toolCalls: [] },
    ]);
  });

  it('keep tools with the same name apart', () => {
    const look = { type: 'function', name: 'look', parameters: {} };
    const { tools, turns } = read({
      tools: [look, { type: 'namespace', name: 'far', tools: [look] }],
      input: [{ type: 'function_call', call_id: 'a', name: 'look', namespace: 'far', arguments: '{}' }],
    });
    expect(tools.map(({ name }) => name)).toEqual(['look', 'far__look']);
    expect(turns[0]).toMatchObject({ toolCalls: [{ name: 'far__look' }] });
  });

  it('restrict the tools and set whether one must be called', () => {
    const tools = ['a', 'b', 'c'].map((name) => ({ type: 'function', name }));
    const choice = { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'b' }] };
    const asked = { input: 'hi', tools };
    expect(read({ ...asked, tool_choice: choice })).toMatchObject({
      tools: [{ name: 'b' }],
      toolChoice: 'required',
    });
    expect(read({ ...asked, tool_choice: { type: 'function', name: 'c' } }).toolChoice).toEqual({
      name: 'c',
    });
    expect(read({ ...asked, tool_choice: 'none' }).toolChoice).toBe('none');
  });

  it('keep every call with its outputs, whatever stands between them', () => {
    fc.assert(
      fc.property(itemLists, fc.array(strangeTool), (items, tools) => {
        const { turns } = read({ input: [{ role: 'user', content: 'Go.' }, ...items], tools });
        const called = new Set<string>();
        const answered: string[] = [];
        for (const turn of turns) {
          if (turn.role === 'assistant') for (const { id } of turn.toolCalls) called.add(id);
          if (turn.role !== 'tool') continue;
          expect(called).toContain(turn.callId);
          answered.push(turn.callId);
        }
        const idsOf = (type: string) =>
          items.filter((item) => item.type === type).map((item) => item.call_id);
        expect([...called]).toEqual(idsOf('function_call'));
        expect(answered).toEqual(idsOf('function_call_output'));
      }),
      { seed: 2_026 },
    );
  });

  it('of a custom tool with a regular expression give it as a pattern too', () => {
    const format = { type: 'grammar', syntax: 'regex', definition: '^[0-9]+$' };
    const { tools } = read({ input: 'hi', tools: [{ type: 'custom', name: 'count', format }] });
    expect(tools[0]).toMatchObject({
      description: expect.stringContaining('`input` must match this regex grammar:\n^[0-9]+$'),
      parameters: { properties: { input: { type: 'string', pattern: '^[0-9]+$' } } },
    });
  });

  it('switch thinking on or off by the effort', () => {
    expect(read({ input: 'hi', reasoning: { effort: 'none' } }).templateArguments).toEqual({
      enable_thinking: false,
    });
    expect(read({ input: 'hi', reasoning: { summary: 'auto' } }).templateArguments).toEqual({});
  });
});

describe('a refused request', () => {
  const input = 'hi';
  const picture = (url: string) => [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }];

  it.each([
    ['no input', {}, 'invalid-request', 'input'],
    ['an empty input', { input: [] }, 'invalid-request', 'input'],
    [
      'a conversation and an earlier response',
      { input, conversation: 'conv_1', previous_response_id: 'resp_1' },
      'invalid-request',
      'previous_response_id',
    ],
    ['a prompt template', { input, prompt: { id: 'p' } }, 'invalid-request', 'prompt'],
    [
      'an answer without its call',
      { input: [{ type: 'function_call_output', call_id: 'x', output: '' }] },
      'invalid-request',
      'input',
    ],
    [
      'a tool that is not served',
      { input, tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } },
      'invalid-request',
      'tool_choice',
    ],
    [
      'a picture to fetch',
      { input: picture('https://example.org/a.png') },
      'invalid-request',
      'input[0].content[0].image_url',
    ],
    [
      'a file to fetch',
      { input: [{ role: 'user', content: [{ type: 'input_file', file_url: 'https://example.org/a.pdf' }] }] },
      'invalid-request',
      'input[0].content[0].file_url',
    ],
    [
      'a list of allowed tools with one that is not served',
      {
        input,
        tools: [{ type: 'web_search' }],
        tool_choice: { type: 'allowed_tools', tools: [{ type: 'web_search' }] },
      },
      'invalid-request',
      'tool_choice.tools[0]',
    ],
    ['too much metadata', { input, metadata: { a: 'x'.repeat(513) } }, 'invalid-request', 'metadata.a'],
  ])('%s', (_, body, code, param) => {
    expect(refusal(body)).toMatchObject({ code, param });
  });
});
