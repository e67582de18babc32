import { expect } from 'vitest';

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

/** An endpoint of the specification whose capability is a stub, with the body its refusals have. */
export interface StubEndpoint {
  readonly path: string;
  readonly contentType: string;
  readonly refusal: object;
  readonly notReady: object;
}

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';

/** Every POST endpoint of the specification. */
export const stubEndpoints: readonly StubEndpoint[] = [
  { path: '/v1/chat/completions', contentType: json, refusal: errorShapes.chat, notReady: errorShapes.chat },
  { path: '/v1/messages', contentType: json, refusal: errorShapes.messages, notReady: errorShapes.messages },
  {
    path: '/v1/messages/count_tokens',
    contentType: json,
    refusal: errorShapes.messages,
    notReady: errorShapes.messages,
  },
  { path: '/v1/images/generations', contentType: json, refusal: detail, notReady: errorShapes.imageServer },
  { path: '/v1/images/edits', contentType: form, refusal: detail, notReady: errorShapes.imageServer },
  { path: '/v1/documents/extract', contentType: form, refusal: detail, notReady: detail },
  { path: '/v1/images/extract', contentType: form, refusal: detail, notReady: detail },
  { path: '/v1/documents/generate', contentType: json, refusal: detail, notReady: detail },
];
