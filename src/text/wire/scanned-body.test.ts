import { describe, expect, it } from 'vitest';
import { scanChatBody } from './chat/scan-chat-body.ts';

const messages = '"messages":[{"role":"user","content":"Hello"}]';

function fieldsOf(members: string): Readonly<Record<string, unknown>> | undefined {
  return scanChatBody(Buffer.from(`{${messages}${members}}`))?.fields;
}

describe('the fields of a scanned body', () => {
  it.each(['', ',"model":"m"', ',"model":"m","max_tokens":5,"stream":true', ',"model":"a","model":"b"'])(
    'are what JSON.parse reads, however often they come: %s',
    (members) => {
      const { messages: _messages, ...parsed } = JSON.parse(`{${messages}${members}}`);
      for (let turn = 0; turn < 3; turn++) expect(fieldsOf(members)).toEqual(parsed);
    },
  );

  it('are the same wherever the messages stand among them', () => {
    const before = scanChatBody(Buffer.from(`{"model":"m","seed":1,${messages}}`));
    const between = scanChatBody(Buffer.from(`{"model":"m",${messages},"seed":1}`));
    expect(before?.fields).toEqual({ model: 'm', seed: 1 });
    expect(between?.fields).toEqual({ model: 'm', seed: 1 });
  });

  it('cannot be changed for the next request', () => {
    const fields = fieldsOf(',"model":"m"') as { model: string };
    expect(() => {
      fields.model = 'another';
    }).toThrow(TypeError);
    const stop = (fieldsOf(',"stop":["a"]') as { stop: string[] }).stop;
    stop.push('b');
    expect(fieldsOf(',"stop":["a"]')).toEqual({ stop: ['a'] });
  });

  it('are still right when there were more than are remembered', () => {
    for (let seed = 0; seed < 200; seed++) expect(fieldsOf(`,"seed":${seed}`)).toEqual({ seed });
    for (let seed = 0; seed < 200; seed++) expect(fieldsOf(`,"seed":${seed}`)).toEqual({ seed });
  });
});
