import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCaller } from '../../testing/fake-callers.ts';
import { makePng } from '../../testing/fake-upstream/make-png.mjs';
import { uploadFile } from '../../testing/files/upload-file.ts';
import { CHAT, COUNT, MESSAGES, TextGateway } from '../../testing/text/text-gateway.ts';
import { newFileId } from '../files/file-id.ts';

const RESPONSES = '/v1/responses';
const callers = { 'sk-a': makeCaller(), 'sk-b': makeCaller({ stack: { id: 'other' } }) };
const png = makePng({ width: 4, height: 4 });
const asked = { role: 'user', content: [] };

/** The bodies that name a file, and the field that does. */
const bodies: readonly (readonly [string, string, (file_id: string) => object, string])[] = [
  [
    'a chat',
    CHAT,
    (file_id) => ({
      model: 'tiny',
      messages: [{ ...asked, content: [{ type: 'file', file: { file_id } }] }],
    }),
    'messages[0].content[0].file.file_id',
  ],
  [
    'messages with a document',
    MESSAGES,
    (file_id) => messagesBody({ type: 'document', source: { type: 'file', file_id } }),
    'messages[0].content[0].source.file_id',
  ],
  [
    'messages with an image',
    MESSAGES,
    (file_id) => messagesBody({ type: 'image', source: { type: 'file', file_id } }),
    'messages[0].content[0].source.file_id',
  ],
  [
    'a count of tokens',
    COUNT,
    (file_id) => messagesBody({ type: 'document', source: { type: 'file', file_id } }),
    'messages[0].content[0].source.file_id',
  ],
  [
    'a response with an image',
    RESPONSES,
    (file_id) => responsesBody({ type: 'input_image', file_id }),
    'input[0].content[0].file_id',
  ],
  [
    'a response with a file',
    RESPONSES,
    (file_id) => responsesBody({ type: 'input_file', file_id }),
    'input[0].content[0].file_id',
  ],
  [
    'a count of the tokens of a response',
    `${RESPONSES}/input_tokens`,
    (file_id) => responsesBody({ type: 'input_file', file_id }),
    'input[0].content[0].file_id',
  ],
];

let gateway: TextGateway;
beforeAll(async () => {
  gateway = await TextGateway.start({ callers, engine: { vision: true } });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
});

describe.each(bodies)('a file named in %s', (_what, path, bodyOf, param) => {
  it('is read like one that was sent', async () => {
    const id = await uploadFile(gateway.http, 'sk-a', { name: 'terms.pdf', bytes: '%PDF-1.7 …' });
    const { status } = await gateway.post(path, bodyOf(id)).answer();
    expect(status).toBe(200);
    if (path === COUNT || path.endsWith('tokens')) return;
    expect(JSON.stringify(gateway.lastBody.messages)).toContain('[document: terms.pdf, PDF]');
  });

  it('is shown to a model that sees pictures', async () => {
    const id = await uploadFile(gateway.http, 'sk-a', { name: 'fox', bytes: png });
    const { status } = await gateway.post(path, bodyOf(id)).answer();
    expect(status).toBe(200);
    if (path === COUNT || path.endsWith('tokens')) return;
    expect(JSON.stringify(gateway.lastBody.messages)).toContain(
      `"data:image/png;base64,${png.toString('base64')}"`,
    );
  });

  it('is a 400 that names the field where the stack has no such file', async () => {
    const foreign = await uploadFile(gateway.http, 'sk-b', { name: 'a', bytes: 'a' });
    for (const id of [foreign, newFileId(1), 'file-of-elsewhere']) {
      const before = gateway.asked.length;
      const { status, body } = await gateway.post(path, bodyOf(id)).answer();
      expect(status).toBe(400);
      const { error } = JSON.parse(body);
      expect(error).toMatchObject({ type: 'invalid_request_error' });
      expect(error.message).toBe(`\`${param}\` must be the id of a file of this stack, got "${id}".`);
      if (!path.startsWith(MESSAGES)) expect(error.param).toBe(param);
      expect(gateway.asked).toHaveLength(before);
    }
  });
});

function messagesBody(block: object): object {
  return { model: 'any', max_tokens: 100, messages: [{ ...asked, content: [block] }] };
}

function responsesBody(part: object): object {
  return { model: 'tiny', input: [{ ...asked, content: [part] }] };
}
