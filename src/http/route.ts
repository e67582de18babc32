import type { ZodType } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Meter } from '../access/meter.ts';
import type { Operator } from '../access/operator.ts';
import type { KeyScope } from '../config/key-scopes.ts';
import type { Family } from '../families/family.ts';
import type { FaultCode } from '../faults/fault-table.ts';
import type { RequestTrace } from '../telemetry/request-trace.ts';
import type { Answer, Delivery } from './answer.ts';
import type { BodyRule } from './body-rules.ts';
import type { OperatorDoor } from './operator-door.ts';

/** One endpoint: its access, dialect, body and handler. */
export type Route = CallerRoute | OperatorRoute | VisitorRoute | OpenRoute;

/** A route whose requests have a caller. */
export type CallerRoute = KeyRoute | LinkRoute | PlaygroundRoute;

interface RouteBase extends RouteDescription {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A path pattern, also the metric label. */
  readonly path: string;
  readonly family: Family;
  readonly body: BodyRule;
}

/** A route for holders of a key. */
export interface KeyRoute extends RouteBase {
  readonly access: 'key';
  /** The scope that a key with scopes must have. */
  readonly scope: KeyScope;
  /** Whether it neither changes nor costs anything; absent: as is usual for its method. */
  readonly isForReaders?: boolean;
  /** Whether the key's stack must be on the image plan. */
  readonly imagePlan?: boolean;
  /** The access to the stack's documents that the key must have. */
  readonly knowledge?: 'read' | 'write';
  /** Whether the route takes its permit by itself, because it tells refusals in its own way. */
  readonly admitsItself?: boolean;
  handle(request: KeyRequest): Answer | Delivery | Promise<Answer | Delivery>;
}

/** A route for holders of a signed link; it is served as a request of the key that made the link. */
export interface LinkRoute extends Omit<KeyRoute, 'access' | 'scope'> {
  readonly access: 'link';
  /** The right was given with the link. */
  readonly scope?: undefined;
}

/** A route of a key, for people in the console: it is served as a request of the playground's key. */
export interface PlaygroundRoute extends Omit<KeyRoute, 'access'> {
  readonly access: 'playground';
  /** Stands before the path, which is that of the key's route: so both are counted as one. */
  readonly mountedAt: string;
}

/** A route that needs no key and says nothing about tenants. */
export interface OpenRoute extends RouteBase {
  readonly access: 'open';
  /** Whether it is also answered while the gateway drains. */
  readonly whileDraining: boolean;
  handle(request: OpenRequest): Answer | Promise<Answer>;
}

/** A route for operators of the gateway. */
export interface OperatorRoute extends RouteBase {
  readonly access: 'operator';
  /** Knows the operator of a request. */
  readonly door: OperatorDoor;
  /** Whether it changes something, which read-only operators may not. */
  readonly right: 'read' | 'write';
  handle(request: OperatorRequest): Answer | Delivery | Promise<Answer | Delivery>;
}

/** A route by which a visitor becomes an operator: it has a body, and no operator yet. */
export interface VisitorRoute extends RouteBase {
  readonly access: 'visitor';
  handle(request: VisitorRequest): Answer | Promise<Answer>;
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

/** A request of a visitor. */
export interface VisitorRequest extends OpenRequest {
  /** The client's address, as far as proxies are trusted. */
  readonly address: string;
  /** The parsed JSON, a `Form`, or a `Buffer`. */
  readonly body: unknown;
}

/** A request of an operator. */
export interface OperatorRequest extends VisitorRequest {
  readonly operator: Operator;
}

/** A request of an authenticated caller. */
export interface KeyRequest extends OpenRequest {
  readonly caller: Caller;
  /** Counts what the request uses. */
  readonly meter: Meter;
  /** The parsed JSON, a `Form`, or a `Buffer`. */
  readonly body: unknown;
  /** Absent: requests are not traced. */
  readonly trace: RequestTrace | undefined;
  /** Holds memory for bytes until the request ends; throws if there is no room for them. */
  holdMemory(bytes: number): void;
}

/** Whether keys that may only read can use the route. */
export function isForReaders({ method, isForReaders }: CallerRoute): boolean {
  return isForReaders ?? method === 'GET';
}

/** A part of a URL that the caller fills in. */
export interface RouteParameter {
  readonly name: string;
  readonly meaning: string;
}

/** A JSON answer, with its schema's name in the API description. */
export function jsonReply(schemaName: string, schema: ZodType): RouteDescription['answer'] {
  return { contentType: 'application/json', schemaName, schema };
}

/** The description of a route, for the API description. */
export interface RouteDescription {
  readonly summary: string;
  readonly detail: string;
  readonly group: 'Text' | 'Images' | 'Documents' | 'Knowledge' | 'Files' | 'Tools' | 'Operations' | 'Admin';
  readonly parameters?: readonly RouteParameter[];
  /** Parameters of the query string, all of them optional. */
  readonly query?: readonly RouteParameter[];
  /** The JSON body, by the schema that parses it, and an example of it. */
  readonly request?: { readonly schema: ZodType; readonly schemaName: string; readonly example: string };
  /** The 200 answer: its media type and, for JSON, the schema; `streams` if it may also be an event stream. */
  readonly answer: {
    readonly contentType: string;
    /** Another media type that it may have. */
    readonly orContentType?: string;
    readonly schema?: ZodType;
    readonly schemaName?: string;
    readonly streams?: boolean;
    /** The status of a good answer, if it is not 200. */
    readonly status?: 201;
    /** Whether it may also be a 304. */
    readonly revalidates?: boolean;
  };
  /** Answers of the route's protocol beside 200, by status: those below 300 have no body, others that of the family. */
  readonly protocolAnswers?: Readonly<Record<number, string>>;
  /** Faults of this route, besides those of every route of its kind. */
  readonly faults?: readonly FaultCode[];
}
