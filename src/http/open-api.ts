import { z } from 'zod';
import type { FamilyName } from '../families/family.ts';
import { type FaultCode, faultRow } from '../faults/fault-table.ts';
import { takesIdempotencyKey } from './idempotency-key.ts';
import {
  type CallerRoute,
  isForReaders,
  type OpenRoute,
  type OperatorRoute,
  type Route,
  type RouteParameter,
} from './route.ts';

type Json = Readonly<Record<string, unknown>>;

/** The OpenAPI 3.1 description of the routes, made from what serves them. */
export function openApiDocument(routes: readonly Route[], version: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stackgate',
      version,
      description: 'Chat, messages, images, extraction and PDF generation under one API key.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        operatorToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'An operator token, made by `stackgate operators create`. API keys are not taken.',
        },
      },
      schemas: { ...namedSchemas(routes), ...faultSchemas },
    },
  };
}

const IDEMPOTENCY_FAULTS = [
  'idempotency-key-invalid',
  'idempotency-key-in-use',
  'idempotency-key-reused',
  // Of a kept answer, or of a file that the body names.
  'storage-away',
] as const satisfies readonly FaultCode[];

const idempotencyHeader: RouteParameter = {
  name: 'Idempotency-Key',
  meaning:
    'Up to 255 characters, new for each request. The same request with the same key runs once within 24 hours, and later ones get its answer with `Idempotent-Replayed: true`.',
};

/** The faults that a route can answer with. */
export function foreseenFaults(route: Route): readonly FaultCode[] {
  const own = route.faults ?? [];
  switch (route.access) {
    case 'open':
      return ['request-malformed', ...own, 'internal', ...(route.whileDraining ? [] : drainingFaults)];
    case 'visitor':
      return [...bodyFaults(route), ...own, ...storeFaults];
    case 'operator':
      return [...bodyFaults(route), ...own, ...operatorFaults(route)];
    default:
      return [...bodyFaults(route), ...own, ...keyFaults(route)];
  }
}

const drainingFaults = ['draining'] as const;
const storeFaults = ['internal', 'database-away', 'draining'] as const;

function operatorFaults({ right, faults = [] }: OperatorRoute): readonly FaultCode[] {
  const refusals: readonly FaultCode[] =
    right === 'write' && !faults.includes('operator-refused') ? ['operator-refused'] : [];
  const waits = ['too-many-wrong-keys', 'too-many-operator-requests'] as const;
  return ['credential-refused', ...refusals, ...waits, ...storeFaults];
}

function bodyFaults(route: Exclude<Route, OpenRoute>): readonly FaultCode[] {
  if (route.body.kind === 'none') return ['request-malformed'];
  const common: FaultCode[] = [
    'request-malformed',
    'request-timeout',
    route.body.tooLarge,
    'content-type-unsupported',
  ];
  return route.body.kind === 'json'
    ? [...common, 'json-malformed', 'json-too-deep', 'json-too-complex']
    : common;
}

function keyFaults(route: CallerRoute): readonly FaultCode[] {
  return [
    route.access === 'key' ? 'credential-refused' : 'link-refused',
    'address-not-allowed',
    ...(route.access === 'key' ? (['scope-not-allowed'] as const) : []),
    ...(isForReaders(route) ? [] : (['key-read-only'] as const)),
    ...(takesIdempotencyKey(route) ? IDEMPOTENCY_FAULTS : []),
    ...(route.imagePlan === true ? (['image-plan-required'] as const) : []),
    ...(route.knowledge === undefined ? [] : (['knowledge-not-allowed'] as const)),
    'rate-limited',
    'too-many-in-flight',
    ...storeFaults,
  ];
}

function operation(route: Route): Json {
  const { summary, detail, group, parameters = [], query = [] } = route;
  return {
    operationId: operationId(route),
    tags: [group],
    summary,
    description: detail,
    security: security(route),
    parameters: [
      ...parameters.map((each) => parameter('path', each)),
      ...query.map((each) => parameter('query', each)),
      ...(takesIdempotencyKey(route) ? [parameter('header', idempotencyHeader)] : []),
    ],
    ...requestBody(route),
    responses: { ...answers(route), ...faultResponses(route) },
  };
}

function parameter(location: 'path' | 'query' | 'header', { name, meaning }: RouteParameter): Json {
  return {
    name,
    in: location,
    required: location === 'path',
    description: meaning,
    schema: { type: 'string' },
  };
}

function operationId(route: Route): string {
  const words = route.path.split(/[/:_.]/).filter((word) => word !== '' && word !== 'v1');
  const end = route.access === 'link' ? ['by', 'link'] : [];
  return [route.method.toLowerCase(), ...words, ...end]
    .map((word, index) => (index === 0 ? word : capitalised(word)))
    .join('');
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function security(route: Route): readonly Json[] {
  if (route.access === 'operator') return [{ operatorToken: [] }];
  if (route.access !== 'key') return [];
  const takesEither = route.family.name === 'messages' || route.family.name === 'models';
  return takesEither ? [{ bearer: [] }, { apiKey: [] }] : [{ bearer: [] }];
}

function requestBody(route: Route): Json {
  if (route.body.kind === 'none') return {};
  const type = bodyTypes[route.body.kind];
  return {
    requestBody: {
      required: route.body.kind === 'json' && route.body.mayBeAbsent !== true,
      content: { [type]: { schema: requestSchema(route) } },
    },
  };
}

const bodyTypes = {
  json: 'application/json',
  form: 'multipart/form-data',
  bytes: 'application/octet-stream',
} as const;

function requestSchema({ request }: Route): Json {
  return request === undefined ? { type: 'object' } : { $ref: `#/components/schemas/${request.schemaName}` };
}

function answers(route: Route): Json {
  const unchanged = { 304: { description: 'The client has it already.', headers: idHeaders } };
  return {
    [route.answer.status ?? 200]: answer(route),
    ...(route.answer.revalidates === true ? unchanged : {}),
    ...protocolAnswers(route),
  };
}

function protocolAnswers({ protocolAnswers: meanings = {}, family }: Route): Json {
  const schema = { $ref: `#/components/schemas/${faultSchemaName(family.name)}` };
  const entries = Object.entries(meanings).map(([status, description]) => {
    const body = Number(status) < 300 ? {} : { content: { 'application/json': { schema } } };
    return [status, { description, headers: idHeaders, ...body }];
  });
  return Object.fromEntries(entries);
}

function answer(route: Route): Json {
  const { contentType, orContentType, schemaName, streams } = route.answer;
  const schema =
    schemaName === undefined ? { type: 'string' } : { $ref: `#/components/schemas/${schemaName}` };
  const events = streams === true ? { 'text/event-stream': { schema: { type: 'string' } } } : {};
  const other = orContentType === undefined ? {} : { [orContentType]: { schema: { type: 'string' } } };
  const content = { [contentType]: { schema }, ...other, ...events };
  return { description: 'Done.', headers: idHeaders, content };
}

function faultResponses(route: Route): Json {
  const byStatus = new Map<number, string[]>();
  for (const code of foreseenFaults(route)) {
    const { status, meaning } = faultRow(code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), meaning]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, meanings]) => [
      status,
      {
        description: meanings.join(' '),
        headers: {
          ...idHeaders,
          ...(status === 429 || status === 503 || status === 504 ? retryAfterHeader : {}),
        },
        content: {
          'application/json': {
            schema: { $ref: `#/components/schemas/${faultSchemaName(route.family.name)}` },
          },
        },
      },
    ]),
  );
}

const idHeaders: Json = {
  'x-request-id': { description: 'The id of this request, also in the log.', schema: { type: 'string' } },
  'request-id': { description: 'The same id.', schema: { type: 'string' } },
};

const retryAfterHeader: Json = {
  'retry-after': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1, maximum: 59 } },
};

function namedSchemas(routes: readonly Route[]): Json {
  const schemas: Record<string, Json> = {};
  for (const { request, answer } of routes) {
    // As a client writes it: unknown members are ignored, not forbidden.
    if (request !== undefined)
      schemas[request.schemaName] = jsonSchema(request.schema, { io: 'input', unrepresentable: 'any' });
    if (answer.schema !== undefined && answer.schemaName !== undefined)
      schemas[answer.schemaName] = jsonSchema(answer.schema);
  }
  return schemas;
}

function jsonSchema(schema: z.ZodType, options?: Parameters<typeof z.toJSONSchema>[1]): Json {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, options);
  return plain;
}

function faultSchemaName(family: FamilyName): string {
  return `${capitalised(family)}Error`;
}

const text: Json = { type: 'string' };
const textOrNull: Json = { type: ['string', 'null'] };
const objectOf = (properties: Json): Json => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});
const chatError = objectOf({ message: text, type: text, param: textOrNull, code: textOrNull });
const detail = objectOf({ detail: text });

const faultSchemas: Json = {
  ChatError: objectOf({ error: chatError }),
  ModelsError: objectOf({ type: { const: 'error' }, error: chatError }),
  MessagesError: objectOf({
    type: { const: 'error' },
    error: objectOf({ type: text, message: text }),
    request_id: text,
  }),
  ImagesError: { anyOf: [detail, objectOf({ error: objectOf({ message: text, type: text, code: text }) })] },
  DocumentsError: detail,
  AdminError: detail,
  McpError: objectOf({
    jsonrpc: { const: '2.0' },
    id: { type: ['string', 'number', 'null'] },
    error: objectOf({ code: { type: 'integer' }, message: text }),
  }),
};
