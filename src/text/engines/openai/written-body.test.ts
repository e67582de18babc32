import { describe, expect, test } from 'vitest';
import type { ChatBody } from './chat-body.ts';
import { WrittenBody } from './written-body.ts';

const body: ChatBody = {
  model: 'm',
  messages: [{ role: 'user', content: 'größer' }],
  temperature: 0.7,
  top_p: 1,
  max_tokens: 8000,
};

describe('the token bound of a written body', () => {
  test('grows by every byte of its words, tools and form', () => {
    const bound = new WrittenBody(body).tokenBound() ?? 0;
    const words = new WrittenBody({ ...body, messages: [{ role: 'user', content: 'größer ü' }] });
    expect(words.tokenBound()).toBe(bound + Buffer.byteLength(' ü'));
    const tools = [{ type: 'function', function: { name: 'find' } }];
    const withTools = new WrittenBody({ ...body, tools }).tokenBound();
    expect(withTools).toBeGreaterThanOrEqual(bound + JSON.stringify(tools).length);
    const response_format = { type: 'json_object' };
    const withForm = new WrittenBody({ ...body, response_format }).tokenBound();
    expect(withForm).toBeGreaterThanOrEqual(bound + JSON.stringify(response_format).length);
  });

  test('is unknown where there is a picture', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } } as const;
    const seen = new WrittenBody({ ...body, messages: [{ role: 'user', content: [image] }] });
    expect(seen.tokenBound()).toBeUndefined();
  });
});
