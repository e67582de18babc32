import type { Fault } from '../faults/fault.ts';
import type { FaultCode, FaultStatus } from '../faults/fault-table.ts';
import { bearerCredential } from './credential.ts';
import type { Family } from './family.ts';

/** The image routes, with two bodies: the gateway's `{"detail"}` and the image server's `{"error": {message, type, code}}`. */
export const imagesFamily: Family = {
  name: 'images',
  credential: bearerCredential,
  rateStyle: 'countdown',
  faultBody: (fault) =>
    imageServerFaults.has(fault.code) ? imageServerBody(fault) : { detail: fault.message },
};

/** Refusals that clients distinguish by code; all others are the gateway's. */
const imageServerFaults: ReadonlySet<FaultCode> = new Set<FaultCode>([
  'invalid-prompt',
  'missing-prompt',
  'invalid-size',
  'invalid-steps',
  'invalid-guidance-scale',
  'invalid-seed',
  'invalid-n',
  'invalid-response-format',
  'wrong-route-for-reference-image',
  'mask-not-supported',
  'missing-image',
  'too-many-reference-images',
  'unsupported-image-format',
  'model-not-found',
  'image-too-large',
  'image-queue-full',
  'budget-exceeded',
  'storage-quota-exceeded',
  'storage-full',
  'storage-away',
  'image-queue-timeout',
  'model-not-ready',
]);

function imageServerBody(fault: Fault): object {
  return { error: { message: fault.message, type: types[fault.status], code: fault.wireCode } };
}

const types: Record<FaultStatus, string> = {
  400: 'invalid_request_error',
  401: 'invalid_request_error',
  403: 'invalid_request_error',
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
  500: 'server_error',
  502: 'server_error',
  503: 'server_error',
  504: 'server_error',
};
