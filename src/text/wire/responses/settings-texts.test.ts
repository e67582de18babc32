import { expect, it } from 'vitest';
import { type ResponseSettings, SettingsTexts } from './settings-texts.ts';

const plain: ResponseSettings = {
  fields: { model: 'm', input: 'Hello' },
  stored: true,
  conversationId: undefined,
  maxOutputTokens: 8_000,
};
const withFields = (fields: Partial<ResponseSettings['fields']>): ResponseSettings => ({
  ...plain,
  fields: { ...plain.fields, ...fields },
});
const others: readonly ResponseSettings[] = [
  { ...plain, stored: false },
  { ...plain, conversationId: 'conv_1' },
  { ...plain, maxOutputTokens: 9_000 },
  ...[
    { background: true },
    { instructions: 'Be brief.' },
    { max_tool_calls: 3 },
    { metadata: { a: 'b' } },
    { parallel_tool_calls: false },
    { previous_response_id: 'resp_1' },
    { prompt_cache_key: 'key' },
    { reasoning: { effort: 'low', summary: 'auto' } },
    { safety_identifier: 'someone' },
    { temperature: 0.5 },
    { text: { format: { type: 'json_object' as const } } },
    { tool_choice: 'none' as const },
    { tools: [{ type: 'function', name: 'look' }] },
    { top_p: 0.5 },
    { truncation: 'auto' as const },
    { user: 'me' },
  ].map(withFields),
];

it.each(others)('the text of %j is neither that of plain settings before it nor theirs after it', (other) => {
  const texts = new SettingsTexts();
  const [first, second, third] = [plain, other, plain].map((settings) => texts.of(settings));
  expect(second).toBe(new SettingsTexts().of(other));
  expect(second).not.toBe(first);
  expect(third).toBe(first);
});

it('a long text does not take the place of the one that is kept', () => {
  const texts = new SettingsTexts();
  const long = withFields({ instructions: 'word '.repeat(1_000) });
  expect(JSON.parse(`{${texts.of(long)}`)).toMatchObject({ instructions: 'word '.repeat(1_000) });
  expect(texts.of(plain)).toBe(new SettingsTexts().of(plain));
  expect(texts.of(long)).toBe(new SettingsTexts().of(long));
});
