import type { Fault } from '../faults/fault.ts';
import type { FaultStatus } from '../faults/fault-table.ts';
import { bearerCredential } from './credential.ts';
import type { Family } from './family.ts';

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;
/** For refusals that the protocol has no code for. */
const REFUSED = -32_000;

/** Failures of a request as a whole, in JSON-RPC. A refusal of a tool is the result of its call instead. */
export const mcpFamily: Family = {
  name: 'mcp',
  credential: bearerCredential,
  rateStyle: 'countdown',
  faultBody: (fault) => ({
    jsonrpc: '2.0',
    id: null,
    error: { code: codeOf(fault), message: fault.message },
  }),
};

function codeOf({ code, status }: Fault): number {
  return code === 'json-malformed' ? PARSE_ERROR : (codes[status] ?? REFUSED);
}

const codes: Partial<Record<FaultStatus, number>> = {
  400: INVALID_REQUEST,
  404: INVALID_REQUEST,
  405: INVALID_REQUEST,
  413: INVALID_REQUEST,
  415: INVALID_REQUEST,
  500: INTERNAL_ERROR,
};
