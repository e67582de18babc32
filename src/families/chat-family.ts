import type { Fault } from '../faults/fault.ts';
import type { FaultStatus } from '../faults/fault-table.ts';
import { bearerCredential, eitherCredential } from './credential.ts';
import type { Family } from './family.ts';

/** Chat completions: `{"error": {message, type, param, code}}`. */
export const chatFamily: Family = {
  name: 'chat',
  credential: bearerCredential,
  rateStyle: 'countdown',
  // A 404 also carries the other vendor's marker, so that either SDK shows the message.
  faultBody: (fault) => (fault.status === 404 ? bothVendorsBody(fault) : chatBody(fault)),
};

/** Models and unknown paths, used by SDKs of both vendors: the chat body plus `"type": "error"`. */
export const modelsFamily: Family = {
  name: 'models',
  credential: eitherCredential,
  rateStyle: 'countdown',
  faultBody: bothVendorsBody,
};

function chatBody(fault: Fault): object {
  return {
    error: {
      message: fault.message,
      type: types[fault.status],
      param: fault.param ?? null,
      code: fault.wireCode ?? null,
    },
  };
}

function bothVendorsBody(fault: Fault): object {
  return { type: 'error', ...chatBody(fault) };
}

const types: Record<FaultStatus, string> = {
  400: 'invalid_request_error',
  401: 'invalid_request_error',
  403: 'invalid_request_error',
  404: 'invalid_request_error',
  405: 'invalid_request_error',
  408: 'invalid_request_error',
  409: 'invalid_request_error',
  412: 'invalid_request_error',
  413: 'invalid_request_error',
  414: 'invalid_request_error',
  415: 'invalid_request_error',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
  431: 'invalid_request_error',
  500: 'server_error',
  502: 'upstream_error',
  503: 'server_error',
  504: 'timeout',
};
