import type { Caller } from '../access/caller.ts';
import type { Meter } from '../access/meter.ts';
import type { PlanLimits } from '../access/plan-limits.ts';
import type { Family } from '../families/family.ts';
import type { Fault } from '../faults/fault.ts';
import type { FaultCode } from '../faults/fault-table.ts';
import type { Form } from '../lib/form.ts';
import type { PromptFormat } from '../text/wire/formats/scan-prompt.ts';
import type { EventStream } from './event-stream.ts';
import type { RouteDescription } from './route-description.ts';

/** One endpoint: who may call it, in which dialect, with what body, and what it does. */
export type Route = KeyRoute | OpenRoute;

interface RouteBase {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** A path pattern, also the metric label. */
  readonly path: string;
  readonly family: Family;
  readonly body: BodyRule;
  readonly description: RouteDescription;
}

/** A route for holders of a key. */
export interface KeyRoute extends RouteBase {
  readonly access: 'key';
  /** Whether the key's stack must be on the image plan. */
  readonly imagePlan?: boolean;
  /** What the key must be allowed to do with the knowledge of its stack. */
  readonly knowledge?: 'read' | 'write';
  handle(request: KeyRequest): Answer | StreamAnswer | Promise<Answer | StreamAnswer>;
}

/** A route that needs no key and says nothing about tenants. */
export interface OpenRoute extends RouteBase {
  readonly access: 'open';
  /** Answered even while draining, because it tells of it. */
  readonly whileDraining: boolean;
  handle(request: OpenRequest): Answer | Promise<Answer>;
}

/** What a route takes as its body. */
export type BodyRule =
  | { readonly kind: 'none' }
  | (SizedBody & {
      readonly kind: 'json';
      /** Whether integers come as bigints, exact to the last digit. */
      readonly exactIntegers?: boolean;
      /** A cheaper way to read bodies of a usual form, in place of parsing; `undefined` for all others. */
      readonly scan?: (bytes: Buffer) => unknown;
      /** The format in which large bodies of the caller are scanned too, on another thread; absent: they are parsed there. */
      readonly formatApart?: (caller: Caller) => PromptFormat | undefined;
      /** What is wrong with a multipart form that was sent here, beyond its type. */
      readonly refuseForm?: (form: Form) => Fault | undefined;
    })
  | (SizedBody & { readonly kind: 'form' });

interface SizedBody {
  readonly cap: (limits: PlanLimits) => number;
  readonly tooLarge: FaultCode;
}

/** A request as a route sees it. */
export interface OpenRequest {
  readonly requestId: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

/** A request of a known caller. */
export interface KeyRequest extends OpenRequest {
  readonly caller: Caller;
  /** Told of what the request uses. */
  readonly meter: Meter;
  /** The parsed JSON, or a `Form`. */
  readonly body: unknown;
}

/** A whole answer. */
export interface Answer {
  readonly status?: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** An answer that is sent piece by piece. */
export interface StreamAnswer {
  readonly headers?: Readonly<Record<string, string>>;
  readonly stream: EventStream;
}

/** An answer that is JSON. */
export function jsonAnswer(value: unknown): Answer {
  return { contentType: 'application/json', body: JSON.stringify(value) };
}
