import type { ZodType } from 'zod';
import type { FaultCode } from '../faults/fault-table.ts';

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
    /** A media type of text that it may have instead. */
    readonly textContentType?: string;
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
