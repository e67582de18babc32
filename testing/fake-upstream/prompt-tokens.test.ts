import { describe, expect, it } from 'vitest';
import { countPromptTokens, countTextTokens, renderPrompt } from './prompt-tokens.mjs';

describe('countPromptTokens', () => {
  it('counts one token per four characters of the rendered prompt and one to start it', () => {
    const body = { messages: [{ role: 'user', content: 'abcdefg' }] };
    expect(renderPrompt(body)).toBe('<|user|>abcdefg\n<|assistant|>');
    expect(countTextTokens(renderPrompt(body))).toBe(8);
    expect(countPromptTokens(body)).toBe(9);
  });

  it('counts tools, template arguments and 64 tokens for an image', () => {
    const text = { messages: [{ role: 'user', content: [{ type: 'text', text: 'abcd' }] }] };
    const image = { type: 'image_url', image_url: { url: 'data:,' } };
    const seen = { messages: [{ role: 'user', content: [{ type: 'text', text: 'abcd' }, image] }] };
    expect(countPromptTokens(seen)).toBe(countPromptTokens(text) + 64);
    expect(countPromptTokens({ ...text, tools: [{}] })).toBeGreaterThan(countPromptTokens(text));
    expect(countPromptTokens({ ...text, tools: [] })).toBe(countPromptTokens(text));
    expect(countPromptTokens({ ...text, chat_template_kwargs: { a: 1 } })).toBeGreaterThan(
      countPromptTokens(text),
    );
  });
});
