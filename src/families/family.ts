import type { IncomingHttpHeaders } from 'node:http';
import type { Fault } from '../faults/fault.ts';
import type { RateStyle } from './rate-headers.ts';

/** The key as a client sent it; `undefined` when none was sent, or what was sent cannot be one. */
export type Credential = string | undefined;

/** A client dialect: how it carries a credential and how a fault looks in it. */
export interface Family {
  readonly name: FamilyName;
  credential(headers: IncomingHttpHeaders): Credential;
  /** The JSON body; status and headers are the same in every family. */
  faultBody(fault: Fault, requestId: string): object;
  /** How rates are told beside an answer. */
  readonly rateStyle: RateStyle;
}

/** The dialects spoken here; also a metric label. */
export type FamilyName = 'chat' | 'models' | 'messages' | 'images' | 'documents';
