import { expect } from 'vitest';
import { makePng } from '../testing/fake-upstream/make-png.mjs';
import { multipartBody, multipartType } from '../testing/multipart.ts';
import { PdfWriter, writtenLines } from '../testing/reading/pdf-writer.ts';

const text = expect.any(String);
const chatError = { message: text, type: text, param: null, code: expect.toBeOneOf([null, text]) };
const detail = { detail: text };

/** The error bodies of the specification's families. */
export const errorShapes = {
  chat: { error: chatError },
  models: { type: 'error', error: chatError },
  messages: { type: 'error', error: { type: text, message: text }, request_id: text },
  detail,
  imageServer: { error: { message: text, type: text, code: text } },
} as const;

/** An endpoint of the specification that needs an engine, with the bodies of its refusals. */
export interface EngineEndpoint {
  readonly path: string;
  readonly contentType: string;
  /** A well-formed body. */
  readonly body: string | Buffer;
  readonly refusal: object;
  readonly notReady: object;
}

const question = JSON.stringify({
  model: 'smollm2-135m-instruct',
  messages: [{ role: 'user', content: 'Hello' }],
  prompt: 'a fox',
});
const json = { contentType: 'application/json', body: question };
/** An edit with a reference of one pixel. */
const edit = { contentType: multipartType, body: editBody() };

/** Every POST endpoint of the specification. */
export const engineEndpoints: readonly EngineEndpoint[] = [
  { path: '/v1/chat/completions', ...json, refusal: errorShapes.chat, notReady: errorShapes.chat },
  { path: '/v1/messages', ...json, refusal: errorShapes.messages, notReady: errorShapes.messages },
  {
    path: '/v1/messages/count_tokens',
    ...json,
    refusal: errorShapes.messages,
    notReady: errorShapes.messages,
  },
  { path: '/v1/images/generations', ...json, refusal: detail, notReady: errorShapes.imageServer },
  { path: '/v1/images/edits', ...edit, refusal: detail, notReady: errorShapes.imageServer },
  { path: '/v1/documents/extract', ...extraction(invoice()), refusal: detail, notReady: detail },
  {
    path: '/v1/images/extract',
    ...extraction(makePng({ width: 1, height: 1 })),
    refusal: detail,
    notReady: detail,
  },
  {
    path: '/v1/documents/generate',
    contentType: 'application/json',
    body: JSON.stringify({ user: 'A letter' }),
    refusal: detail,
    notReady: detail,
  },
];

function extraction(file: Uint8Array): { readonly contentType: string; readonly body: Buffer } {
  const body = multipartBody([
    { name: 'file', fileName: 'file', bytes: file },
    { name: 'schema', text: '{"type": "object"}' },
  ]);
  return { contentType: multipartType, body };
}

function invoice(): Uint8Array {
  const writer = new PdfWriter();
  const content = writtenLines(['Invoice 17', 'Total: 12.50']);
  writer.addPage({ content, fonts: { F: writer.standardFont() } });
  return writer.build();
}

function editBody(): Buffer {
  return multipartBody([
    { name: 'prompt', text: 'a fox' },
    { name: 'image', fileName: 'pixel.png', bytes: makePng({ width: 1, height: 1 }) },
  ]);
}
