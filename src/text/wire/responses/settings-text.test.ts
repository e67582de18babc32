import { expect, it } from 'vitest';
import { type ResponseSettings, settingsText } from './settings-text.ts';

const plain: ResponseSettings = {
  fields: { model: 'm', input: 'Hello' },
  stored: true,
  conversationId: undefined,
  maxOutputTokens: 8_000,
};

it.each<[string, Partial<ResponseSettings>, object]>([
  ['stored', { stored: false }, { store: false }],
  ['conversationId', { conversationId: 'conv_1' }, { conversation: { id: 'conv_1' } }],
  ['maxOutputTokens', { maxOutputTokens: 9_000 }, { max_output_tokens: 9_000 }],
])('the text tells %s', (_, settings, told) => {
  expect(JSON.parse(`{${settingsText({ ...plain, ...settings })}`)).toMatchObject(told);
});

it.each<ResponseSettings['fields']>([
  { model: 'm', background: true },
  { model: 'm', instructions: 'Be brief.' },
  { model: 'm', max_tool_calls: 3 },
  { model: 'm', metadata: { a: 'b' } },
  { model: 'm', parallel_tool_calls: false },
  { model: 'm', previous_response_id: 'resp_1' },
  { model: 'm', prompt_cache_key: 'key' },
  { model: 'm', reasoning: { effort: 'low', summary: 'auto' } },
  { model: 'm', safety_identifier: 'someone' },
  { model: 'm', temperature: 0.5 },
  { model: 'm', text: { format: { type: 'json_object' } } },
  { model: 'm', tool_choice: 'none' },
  { model: 'm', tools: [{ type: 'custom', name: 'look' }] },
  { model: 'm', top_p: 0.5 },
  { model: 'm', truncation: 'auto' },
  { model: 'm', user: 'me' },
])('the text tells of the fields %j', ({ model: _model, ...fields }) => {
  const told = JSON.parse(`{${settingsText({ ...plain, fields: { model: 'm', ...fields } })}`);
  expect(told).toMatchObject(fields);
  expect(told).not.toEqual(JSON.parse(`{${settingsText(plain)}`));
});
