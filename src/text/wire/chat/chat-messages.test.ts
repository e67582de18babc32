import { describe, expect, test } from 'vitest';
import { chatConversation } from '../../../../testing/text/chat-requests.ts';

const user = { role: 'user', content: 'Hello' };
const text = (said: string): object => ({ type: 'text', text: said });

describe('system messages', () => {
  test('are joined in order, at any position', () => {
    const { system, turns } = chatConversation({ role: 'system', content: 'One.' }, user, {
      role: 'developer',
      content: [text('Two.'), text('Three.')],
    });
    expect(system).toBe('One.\n\nTwo.\nThree.');
    expect(turns).toHaveLength(1);
  });

  test.each([[''], [null], [undefined], [[]]])(
    'with content %j are empty, which is not the same as none',
    (content) => {
      expect(chatConversation({ role: 'system', content }, user).system).toBe('');
      expect(chatConversation(user).system).toBeUndefined();
    },
  );

  test('may be the only messages', () => {
    expect(chatConversation({ role: 'system', content: 'Speak.' })).toMatchObject({
      system: 'Speak.',
      turns: [],
    });
  });
});

describe('user messages', () => {
  test('in a row stay separate', () => {
    expect(chatConversation(user, { ...user, name: 'Ann' }, user).turns).toEqual(
      Array(3).fill({ role: 'user', parts: [text('Hello')] }),
    );
  });

  test.each([[''], [null], [undefined], [[]]])('with content %j are an empty text', (content) => {
    expect(chatConversation({ role: 'user', content }).turns).toEqual([{ role: 'user', parts: [text('')] }]);
  });

  test('carry text, images and files in their order', () => {
    const parts = [
      text('Look:'),
      {
        type: 'image_url',
        image_url: { url: 'data:Image/PNG;charset=x;base64,iVBORw0KGgo=', detail: 'auto' },
      },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
      { type: 'file', file: { file_data: 'JVBERi0', filename: null, file_id: null } },
      { type: 'file', file: { file_data: 'DATA:image/webp;BASE64,UklGRg==' } },
      { type: 'image_url', image_url: { url: 'data:;base64,AAAA' } },
      { type: 'refusal', refusal: 'No.' },
    ];
    expect(chatConversation({ role: 'user', content: parts }).turns).toEqual([
      {
        role: 'user',
        parts: [
          text('Look:'),
          { type: 'image', mediaType: 'image/png', base64: 'iVBORw0KGgo=', name: undefined },
          { type: 'document', mediaType: 'application/pdf', base64: 'JVBERi0=', name: 'a.pdf' },
          { type: 'document', mediaType: 'application/octet-stream', base64: 'JVBERi0', name: undefined },
          { type: 'image', mediaType: 'image/webp', base64: 'UklGRg==', name: undefined },
          { type: 'image', mediaType: 'application/octet-stream', base64: 'AAAA', name: undefined },
          text('No.'),
        ],
      },
    ]);
  });
});

describe('assistant messages', () => {
  test('carry text and calls, and nothing that clients add to them', () => {
    const message = {
      ...{
        role: 'assistant',
        name: 'bot',
        content: 'Let me look.',
        refusal: null,
        audio: null,
        parsed: null,
      },
      tool_calls: [
        {
          ...{ id: 'call_1', type: 'function', index: 0 },
          function: { name: 'look', arguments: '{"at": 1}', parsed_arguments: { at: 1 } },
        },
        { id: 'call_2', function: { name: 'now', arguments: '' } },
      ],
    };
    expect(chatConversation(user, message).turns[1]).toEqual({
      role: 'assistant',
      text: 'Let me look.',
      toolCalls: [
        { id: 'call_1', name: 'look', arguments: '{"at": 1}' },
        { id: 'call_2', name: 'now', arguments: '{}' },
      ],
    });
  });

  test.each([
    [{ content: null }, ''],
    [{ content: '', tool_calls: null, function_call: null }, ''],
    [{ content: [text('a'), { type: 'refusal', refusal: 'b' }] }, 'a\nb'],
    [{ content: null, refusal: 'I will not.' }, 'I will not.'],
    [{ content: 'Well.', refusal: 'I will not.' }, 'Well.'],
  ])('with %j have the text %j', (members, said) => {
    expect(chatConversation({ role: 'assistant', ...members }).turns).toEqual([
      { role: 'assistant', text: said, toolCalls: [] },
    ]);
  });

  test('may call in the older form, which has no id', () => {
    const message = { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{}' } };
    expect(chatConversation(user, message).turns[1]).toMatchObject({
      toolCalls: [{ id: 'call_1', name: 'look', arguments: '{}' }],
    });
  });
});

describe('tool messages', () => {
  test.each([
    ['done', [text('done')]],
    [
      [text('a'), text('b')],
      [text('a'), text('b')],
    ],
    [null, [text('')]],
  ])('with content %j answer a call', (content, parts) => {
    const message = { role: 'tool', tool_call_id: 'call_1', name: 'look', content };
    expect(chatConversation(message).turns).toEqual([
      { role: 'tool', callId: 'call_1', parts, isError: false },
    ]);
  });
});
