import { describe, expect, it } from 'vitest';
import { Fault } from '../faults/fault.ts';
import { type FaultCode, faultTable } from '../faults/fault-table.ts';
import { chatFamily, modelsFamily } from './chat-family.ts';
import { documentsFamily } from './documents-family.ts';
import type { Family } from './family.ts';
import { imagesFamily } from './images-family.ts';
import { mcpFamily } from './mcp-family.ts';
import { messagesFamily } from './messages-family.ts';
import { renderFault } from './rendered-fault.ts';

const families = [chatFamily, modelsFamily, messagesFamily, imagesFamily, documentsFamily, mcpFamily];
const codes = Object.keys(faultTable) as FaultCode[];
const body = (family: Family, code: FaultCode, param?: string) =>
  renderFault(new Fault(code, 'Why.', param === undefined ? {} : { param }), family, { requestId: 'req_1' })
    .body;

describe('the chat family', () => {
  it.each<[FaultCode, string]>([
    [
      'json-malformed',
      '{"error":{"message":"Why.","type":"invalid_request_error","param":null,"code":null}}',
    ],
    [
      'credential-refused',
      '{"error":{"message":"Why.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}',
    ],
    [
      'path-not-found',
      '{"type":"error","error":{"message":"Why.","type":"invalid_request_error","param":null,"code":null}}',
    ],
    [
      'body-too-large',
      '{"error":{"message":"Why.","type":"invalid_request_error","param":null,"code":null}}',
    ],
    ['rate-limited', '{"error":{"message":"Why.","type":"rate_limit_error","param":null,"code":null}}'],
    ['internal', '{"error":{"message":"Why.","type":"server_error","param":null,"code":null}}'],
    [
      'model-not-ready',
      '{"error":{"message":"Why.","type":"server_error","param":null,"code":"model_not_ready"}}',
    ],
  ])('writes %s', (code, expected) => {
    expect(body(chatFamily, code)).toBe(expected);
  });

  it('names the field at fault', () => {
    expect(body(chatFamily, 'model-not-found', 'model')).toBe(
      '{"type":"error","error":{"message":"Why.","type":"invalid_request_error","param":"model","code":"model_not_found"}}',
    );
  });
});

describe('the models family', () => {
  it.each<[FaultCode, string]>([
    [
      'credential-refused',
      '{"type":"error","error":{"message":"Why.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}',
    ],
    [
      'draining',
      '{"type":"error","error":{"message":"Why.","type":"server_error","param":null,"code":null}}',
    ],
  ])('writes %s with the marker of both vendors', (code, expected) => {
    expect(body(modelsFamily, code)).toBe(expected);
  });
});

describe('the messages family', () => {
  it.each<[FaultCode, string]>([
    ['json-malformed', 'invalid_request_error'],
    ['credential-refused', 'authentication_error'],
    ['image-plan-required', 'permission_error'],
    ['path-not-found', 'not_found_error'],
    ['method-not-allowed', 'invalid_request_error'],
    ['body-too-large', 'request_too_large'],
    ['content-type-unsupported', 'invalid_request_error'],
    ['rate-limited', 'rate_limit_error'],
    ['internal', 'api_error'],
    ['model-not-ready', 'overloaded_error'],
  ])('writes %s', (code, type) => {
    expect(body(messagesFamily, code)).toBe(
      `{"type":"error","error":{"type":"${type}","message":"Why."},"request_id":"req_1"}`,
    );
  });
});

describe('the images family', () => {
  it.each<[FaultCode, string]>([
    ['image-too-large', '{"error":{"message":"Why.","type":"request_too_large","code":"image_too_large"}}'],
    ['model-not-ready', '{"error":{"message":"Why.","type":"server_error","code":"model_not_ready"}}'],
  ])('writes %s as the image server does', (code, expected) => {
    expect(body(imagesFamily, code)).toBe(expected);
  });

  it.each<FaultCode>([
    'json-malformed',
    'credential-refused',
    'image-plan-required',
    'path-not-found',
    'method-not-allowed',
    'content-type-unsupported',
    'rate-limited',
    'internal',
    'draining',
  ])('writes %s as the gateway does', (code) => {
    expect(body(imagesFamily, code)).toBe('{"detail":"Why."}');
  });

  it('never writes an image server body without a code', () => {
    for (const code of codes) {
      const parsed = JSON.parse(body(imagesFamily, code));
      expect(Object.keys(parsed)).toEqual('error' in parsed ? ['error'] : ['detail']);
      if ('error' in parsed) expect(parsed.error.code).toEqual(expect.any(String));
    }
  });
});

describe('the documents family', () => {
  it.each(codes)('writes %s as one sentence', (code) => {
    expect(body(documentsFamily, code)).toBe('{"detail":"Why."}');
  });
});

describe('a rendered fault', () => {
  it.each(families)('has the same status and headers in every family: $name', (family) => {
    const fault = new Fault('method-not-allowed', 'No.', { headers: { allow: 'POST' } });
    expect(renderFault(fault, family, { requestId: 'req_1' })).toMatchObject({
      status: 405,
      headers: { 'content-type': 'application/json', allow: 'POST' },
    });
    expect(
      renderFault(new Fault('credential-refused', 'No.'), family, { requestId: 'req_1' }).headers,
    ).toEqual({
      'content-type': 'application/json',
      'www-authenticate': 'Bearer',
    });
    expect(renderFault(new Fault('draining', 'No.'), family, { requestId: 'req_1' }).headers).toEqual({
      'content-type': 'application/json',
      'retry-after': '5',
    });
  });
});

describe('credentials', () => {
  const key = 'sk-0123456789';
  it.each(families)('are taken from Authorization: $name', ({ credential }) => {
    expect(credential({ authorization: `Bearer ${key}` })).toBe(key);
    expect(credential({ authorization: `bearer   ${key}  ` })).toBe(key);
  });

  it.each(families)('are none when the header is something else: $name', ({ credential }) => {
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      key,
      `Basic ${key}`,
      `Bearer ${key} more`,
      'Bearer sk-ü',
    ]) {
      expect(credential({ authorization })).toBeUndefined();
    }
    expect(credential({})).toBeUndefined();
  });

  it.each([modelsFamily, messagesFamily])('are also taken from x-api-key: $name', ({ credential }) => {
    expect(credential({ 'x-api-key': key })).toBe(key);
    expect(credential({ 'x-api-key': ` ${key} ` })).toBe(key);
    expect(credential({ 'x-api-key': '  ' })).toBeUndefined();
    expect(credential({ 'x-api-key': key, authorization: `Bearer ${key}` })).toBe(key);
  });

  it.each([modelsFamily, messagesFamily])('sent twice must be one key: $name', ({ credential }) => {
    expect(credential({ 'x-api-key': key, authorization: 'Bearer sk-other' })).toBeUndefined();
    expect(credential({ 'x-api-key': key, authorization: 'Basic abc' })).toBeUndefined();
    expect(credential({ 'x-api-key': '', authorization: `Bearer ${key}` })).toBeUndefined();
  });

  it.each([chatFamily, imagesFamily, documentsFamily])(
    'are not taken from x-api-key elsewhere: $name',
    ({ credential }) => {
      expect(credential({ 'x-api-key': key })).toBeUndefined();
      expect(credential({ 'x-api-key': 'sk-other', authorization: `Bearer ${key}` })).toBe(key);
    },
  );
});
