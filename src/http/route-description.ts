import type { ZodType } from 'zod';
import type { FaultCode } from '../faults/fault-table.ts';

/** A part of a URL that the caller fills in. */
export interface RouteParameter {
  readonly name: string;
  readonly meaning: string;
}

/** An answer of JSON, by its name in the API description. */
export function jsonReply(schemaName: string, schema: ZodType): RouteDescription['answer'] {
  return { contentType: 'application/json', schemaName, schema };
}

/** What the API description says of a route. */
export interface RouteDescription {
  readonly summary: string;
  readonly detail: string;
  readonly group: 'Text' | 'Images' | 'Documents' | 'Knowledge' | 'Operations';
  readonly parameters?: readonly RouteParameter[];
  /** Parameters of the query string, all of them optional. */
  readonly query?: readonly RouteParameter[];
  /** The JSON body, by the schema that parses it, and an example of it. */
  readonly request?: { readonly schema: ZodType; readonly schemaName: string; readonly example: string };
  /** The 200 answer: its media type and, for JSON, the schema; `streams` when it may also come as events. */
  readonly answer: {
    readonly contentType: string;
    readonly schema?: ZodType;
    readonly schemaName?: string;
    readonly streams?: boolean;
    /** Whether 304 says that the client has it already. */
    readonly revalidates?: boolean;
  };
  /** Faults of the route's own, beyond those that every route of its kind has. */
  readonly faults?: readonly FaultCode[];
}
