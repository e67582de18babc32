import { describe, expect, it } from 'vitest';
import { parseGbnf } from '../../../../packages/json-schema-grammar/testing/gbnf-grammar.ts';
import { GbnfMatcher } from '../../../../packages/json-schema-grammar/testing/gbnf-matcher.ts';
import { compileSchema } from '../../../../testing/schema/compile-schema.ts';
import { conversationOf } from '../../../../testing/text/engine-conversations.ts';
import type { Conversation, Tool } from '../../conversation.ts';
import { buildOutputGrammar } from './build-output-grammar.ts';
import { grammarAfterMark, type OutputGrammar } from './output-grammar.ts';
import { renameRules } from './rename-rules.ts';

const build = (conversation: Conversation): Promise<OutputGrammar> =>
  buildOutputGrammar(conversation, async (schema) => compileSchema(schema).grammar);
const makes = (grammar: string | undefined, text: string) =>
  new GbnfMatcher(parseGbnf(grammar ?? '')).matches(text);

const tool = (name: string, parameters?: Tool['parameters']): Tool => ({
  name,
  description: undefined,
  parameters,
  strict: false,
});
const weather = tool('weather', {
  type: 'object',
  properties: { city: { $ref: '#/$defs/city' } },
  required: ['city'],
  $defs: { city: { enum: ['Paris', 'Rome'] } },
});
const add = tool('add', { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] });
const call = (name: string, given: string) =>
  `<tool_call>\n{"name": "${name}", "arguments": ${given}}\n</tool_call>`;
const paris = call('weather', '{"city": "Paris"}');

describe('the grammar of an answer', () => {
  it('is none for free text', async () => {
    expect(await build(conversationOf())).toEqual({});
  });

  it('is that of the schema, or of any object', async () => {
    const output = { type: 'schema', name: 's', schema: { type: 'integer' } } as const;
    const { whole } = await build(conversationOf({ output }));
    expect([makes(whole, '42'), makes(whole, '"42"')]).toEqual([true, false]);
    const { whole: any } = await build(conversationOf({ output: { type: 'json' } }));
    expect([makes(any, '{"a": [1, null]}'), makes(any, '[]')]).toEqual([true, false]);
  });

  it('allows only calls if a tool must be called', async () => {
    const { whole } = await build(conversationOf({ tools: [weather, add], toolChoice: 'required' }));
    expect(makes(whole, paris)).toBe(true);
    expect(makes(whole, `${paris}\n${call('add', '{"a": 3}')}`)).toBe(true);
    expect(makes(whole, call('weather', '{"city": "London"}'))).toBe(false);
    expect(makes(whole, call('add', '{"city": "Paris"}'))).toBe(false);
    expect(makes(whole, 'Hello')).toBe(false);
  });

  it('allows one call of a named tool', async () => {
    const { whole } = await build(conversationOf({ tools: [weather, add], toolChoice: { name: 'add' } }));
    expect(makes(whole, call('add', '{"a": 3}'))).toBe(true);
    expect(makes(whole, `${call('add', '{"a": 3}')}\n${call('add', '{"a": 3}')}`)).toBe(false);
    expect(makes(whole, paris)).toBe(false);
  });

  it('allows one call without parallel calls', async () => {
    const { whole } = await build(
      conversationOf({ tools: [add], toolChoice: 'required', parallelToolCalls: false }),
    );
    expect(makes(whole, `${call('add', '{"a": 3}')}\n${call('add', '{"a": 3}')}`)).toBe(false);
  });

  it('begins at the mark of a call if the model may choose, with any text after the mark in its token', async () => {
    const { whole, calls } = await build(conversationOf({ tools: [weather] }));
    expect(whole).toBeUndefined();
    const text = paris.slice('<tool_call>'.length);
    for (const written of ['', '\n', '\n{"', '\n{"name": "']) {
      const grammar = calls && grammarAfterMark(calls, written);
      expect(makes(grammar, text.slice(written.length))).toBe(true);
      expect(makes(grammar, 'anything')).toBe(false);
    }
    expect(makes(calls && grammarAfterMark(calls, '{"na'), text.slice(5))).toBe(true);
    expect(calls && grammarAfterMark(calls, ' is a mark')).toBeUndefined();
  });

  it('allows the schema or calls if both are allowed, and no call without tools', async () => {
    const output = { type: 'schema', name: 's', schema: { type: 'integer' } } as const;
    const { whole } = await build(conversationOf({ tools: [weather], output }));
    expect([makes(whole, '42'), makes(whole, paris)]).toEqual([true, true]);
    expect(await build(conversationOf({ tools: [weather], toolChoice: 'none' }))).toEqual({});
  });

  it('accepts a tool without parameters, and names that need escapes', async () => {
    const { whole } = await build(conversationOf({ tools: [tool('a"b\\c')], toolChoice: 'required' }));
    expect(makes(whole, call('a\\"b\\\\c', '{"x": 1}'))).toBe(true);
  });

  it('is refused with the reason if it cannot be compiled', async () => {
    const output = { type: 'schema', name: 's', schema: { type: 'text' } } as const;
    await expect(build(conversationOf({ output }))).rejects.toMatchObject({
      code: 'invalid-request',
      param: 'response_format',
    });
    const broken = tool('broken', { properties: { a: false }, required: ['a'] });
    await expect(build(conversationOf({ tools: [broken] }))).rejects.toMatchObject({
      code: 'invalid-request',
      param: 'tools',
      message: expect.stringMatching(/tool "broken" cannot be followed at \/properties\/a/),
    });
  });
});

describe('renamed rules', () => {
  it('keep literals, character sets and repetitions', () => {
    const grammar = 'root ::= a-1 "a-1 \\" root" [root\\]a] a-1{2,3} | b*\na-1 ::= "x"\nb ::= root?\n';
    expect(renameRules(grammar, 'p-')).toBe(
      'p-root ::= p-a-1 "a-1 \\" root" [root\\]a] p-a-1{2,3} | p-b*\np-a-1 ::= "x"\np-b ::= p-root?\n',
    );
  });
});
