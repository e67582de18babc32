import type { Fault } from '../faults/fault.ts';
import type { FaultStatus } from '../faults/fault-table.ts';
import { eitherCredential } from './credential.ts';
import type { Family } from './family.ts';

/** The messages format: `{"type": "error", "error": {type, message}, "request_id"}`. */
export const messagesFamily: Family = {
  name: 'messages',
  credential: eitherCredential,
  rateStyle: 'moment',
  faultBody: (fault, requestId) => ({
    type: 'error',
    error: { type: errorType(fault), message: fault.message },
    request_id: requestId,
  }),
};

// Clients wait longer before retrying an overloaded call than any other.
function errorType(fault: Fault): string {
  return fault.code === 'engine-overloaded' ? 'overloaded_error' : types[fault.status];
}

const types: Record<FaultStatus, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  408: 'invalid_request_error',
  409: 'invalid_request_error',
  412: 'invalid_request_error',
  413: 'request_too_large',
  414: 'invalid_request_error',
  415: 'invalid_request_error',
  422: 'invalid_request_error',
  429: 'rate_limit_error',
  431: 'invalid_request_error',
  500: 'api_error',
  502: 'api_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};
