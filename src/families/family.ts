import type { IncomingHttpHeaders } from 'node:http';
import type { Fault } from '../faults/fault.ts';
import type { RateStyle } from './rate-headers.ts';

/** The key a client sent; `undefined` if there is none, or it cannot be one. */
export type Credential = string | undefined;

/** A client dialect: how it carries a key and renders a fault. */
export interface Family {
  readonly name: FamilyName;
  credential(headers: IncomingHttpHeaders): Credential;
  /** The JSON body; status and headers are the same in every family. */
  faultBody(fault: Fault, requestId: string): object;
  /** Rate limit headers of a response. */
  readonly rateStyle: RateStyle;
}

/** Also a metric label. */
export type FamilyName = 'chat' | 'models' | 'messages' | 'images' | 'documents' | 'mcp' | 'admin';
