import { describe, expect, test } from 'vitest';
import { conversation } from '../../../../testing/text/conversations.ts';
import type { AskedConversation, Passthrough } from '../../passthrough.ts';
import { type ChatFields, type ChatPrompt, hasImages } from './chat-body.ts';
import { WrittenBody, writeBody } from './written-body.ts';

const plainFields: ChatFields = { model: 'm', temperature: 0.7, top_p: 1, max_tokens: 8000 };
const plainPrompt: ChatPrompt = { messages: [{ role: 'user', content: 'größer' }] };

function written({ prompt = plainPrompt, fields = plainFields }): WrittenBody {
  return new WrittenBody({
    fields,
    prompt: JSON.stringify(prompt).slice(1, -1),
    hasImages: hasImages(prompt),
  });
}

function passedOn(lists: Omit<Passthrough, 'read'>): AskedConversation {
  const read = conversation();
  return { conversation: read, passthrough: { ...lists, read: () => read } };
}

test('a detached body stays the same when the bytes of its request are reused', () => {
  const messages = Buffer.from(JSON.stringify({ role: 'user', content: 'x'.repeat(20_000) }));
  const settings = { model: 'm', hasVision: false, defaultTemperature: 0.7 };
  const asked = passedOn({ messages, tools: Buffer.from('{"a":1}'), isLasting: false });
  const body = writeBody(asked, settings);
  const detached = body.detached();
  const [before, hash] = [sentBytes(detached), detached.promptHash()];
  expect(before).toEqual(sentBytes(body));
  messages.fill('y');
  expect(sentBytes(detached)).toEqual(before);
  expect(detached.promptHash()).toBe(hash);
  expect(sentBytes(body)).not.toEqual(before);
});

test('a body with lasting bytes is not copied', () => {
  const messages = Buffer.from(JSON.stringify({ role: 'user', content: 'x'.repeat(20_000) }));
  const asked = passedOn({ messages, tools: Buffer.alloc(0), isLasting: true });
  const body = writeBody(asked, { model: 'm', hasVision: false, defaultTemperature: 0.7 });
  expect(body.detached()).toBe(body);
});

describe('the hash of a long prompt', () => {
  // The first half of the surrogate pair is the last unit of a part.
  const texts = ['a', '😀', '😁'].map((sign) => `${'x'.repeat(1024 * 1024 - 1)}${sign}y`);
  const ofText = (text: string) =>
    new WrittenBody({ fields: plainFields, prompt: text, hasImages: false }).promptHash();

  test('differs for every text', async () => {
    const hashes = await Promise.all(texts.map(ofText));
    expect(new Set(hashes).size).toBe(texts.length);
  });

  test('is the same for the same bytes in pieces', async () => {
    for (const text of texts) {
      const prompt = { pieces: ['', Buffer.from(text), ''] };
      const body = new WrittenBody({ fields: plainFields, prompt, hasImages: false, isLasting: true });
      expect(await body.promptHash()).toBe(await ofText(text));
    }
  });

  test('needs no hashing where its lists were hashed before', () => {
    const hashOf = (hash: string, system?: string) => {
      const lists = { messages: Buffer.alloc(4_000_000, 'x'), tools: Buffer.alloc(0), isLasting: true, hash };
      const { conversation, passthrough } = passedOn(lists);
      const asked = { conversation: { ...conversation, system }, passthrough };
      return writeBody(asked, { model: 'm', hasVision: false, defaultTemperature: 0.7 }).promptHash();
    };
    const hashes = [hashOf('one'), hashOf('another'), hashOf('one', 'Be brief.')];
    expect(hashes.every((hash) => typeof hash === 'string')).toBe(true);
    expect(new Set(hashes).size).toBe(3);
    expect(hashOf('one')).toBe(hashes[0]);
  });

  test('is computed in steps, with other work in between', async () => {
    const order: string[] = [];
    const turn = new Promise<void>((resolve) => setImmediate(resolve)).then(() => order.push('other'));
    await Promise.all([turn, Promise.resolve(ofText('x'.repeat(4_000_000))).then(() => order.push('hash'))]);
    expect(order).toEqual(['other', 'hash']);
  });
});

function sentBytes(body: WrittenBody): Buffer {
  const json = body.whole();
  const pieces = typeof json === 'string' ? [json] : json.pieces;
  return Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)),
  );
}

describe('the token bound of a written body', () => {
  test('grows by every byte of its words, tools and form', () => {
    const bound = written({}).tokenBound() ?? 0;
    const words = written({ prompt: { messages: [{ role: 'user', content: 'größer ü' }] } });
    expect(words.tokenBound()).toBe(bound + Buffer.byteLength(' ü'));
    const tools = [{ type: 'function', function: { name: 'find' } }];
    const withTools = written({ prompt: { ...plainPrompt, tools } }).tokenBound();
    expect(withTools).toBeGreaterThanOrEqual(bound + JSON.stringify(tools).length);
    const response_format = { type: 'json_object' };
    const withForm = written({ fields: { ...plainFields, response_format } }).tokenBound();
    expect(withForm).toBeGreaterThanOrEqual(bound + JSON.stringify(response_format).length);
  });

  test('is unknown with a picture', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } } as const;
    const seen = written({ prompt: { messages: [{ role: 'user', content: [image] }] } });
    expect(seen.tokenBound()).toBeUndefined();
  });
});
