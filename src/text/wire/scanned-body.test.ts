import { describe, expect, it } from 'vitest';
import { scanChatBody } from './chat/scan-chat-body.ts';

const messages = '"messages":[{"role":"user","content":"Hello"}]';

function fieldsOf(members: string): Readonly<Record<string, unknown>> | undefined {
  return scanChatBody(Buffer.from(`{${messages}${members}}`))?.fields;
}

describe('the fields of a scanned body', () => {
  it.each(['', ',"model":"m"', ',"model":"m","max_tokens":5,"stream":true', ',"model":"a","model":"b"'])(
    'are what JSON.parse reads: %s',
    (members) => {
      const { messages: _messages, ...parsed } = JSON.parse(`{${messages}${members}}`);
      expect(fieldsOf(members)).toEqual(parsed);
    },
  );

  it('are the same for any position of the messages', () => {
    const before = scanChatBody(Buffer.from(`{"model":"m","seed":1,${messages}}`));
    const between = scanChatBody(Buffer.from(`{"model":"m",${messages},"seed":1}`));
    expect(before?.fields).toEqual({ model: 'm', seed: 1 });
    expect(between?.fields).toEqual({ model: 'm', seed: 1 });
  });
});
