import type { RawAnswer } from './raw-client.ts';
import { isRecord, type Schema, schemaProblems } from './schema-problems.ts';

/** The part of a request that its answer depends on. */
export interface Asked {
  readonly method: string;
  readonly path: string;
}

// Given without looking at the path's operations; their bodies are those of an unknown path.
const ANSWERS_BEFORE_ROUTING = [404, 405, 414];

/** Checks an answer against the gateway's guarantees: ids, lengths, delays, and the API description. */
export function answerProblems(document: Schema, asked: Asked, answer: RawAnswer): readonly string[] {
  return [...headProblems(asked, answer), ...describedProblems(document, asked, answer)];
}

/** Whether a request for a path is one for a route's path, which has names as `:name` or `{name}`. */
export function isPathOf(template: string, path: string): boolean {
  return new RegExp(`^${template.replace(/:\w+|\{\w+\}/g, '[^/]*')}$`).test(plainPath(path));
}

function plainPath(path: string): string {
  return path.replace(/^http:\/\/[^/]*/, '').replace(/\?.*/, '');
}

/** The guarantees that also hold for answers to bytes that never became a request. */
export function headProblems(
  { method }: Pick<Asked, 'method'>,
  { status, headers, body }: RawAnswer,
): readonly string[] {
  const id = headers['x-request-id'] ?? '';
  const waits = Number(headers['retry-after']);
  const checks: Record<string, boolean> = {
    'has an id': /^req_[0-9a-f]{24}$/.test(id),
    'has the same id twice': headers['request-id'] === id,
    'names its length':
      headers['content-length'] === String(Buffer.byteLength(body)) ||
      method === 'HEAD' ||
      status === 304 ||
      headers['content-type']?.startsWith('text/event-stream') === true,
    'is JSON when it refuses': status < 400 || headers['content-type'] === 'application/json',
    'challenges a refused key': status !== 401 || headers['www-authenticate'] === 'Bearer',
    'names methods': status !== 405 || /^[A-Z]+(, [A-Z]+)*$/.test(headers.allow ?? ''),
    'names a delay':
      ![429, 503, 504].includes(status) || (Number.isInteger(waits) && waits >= 1 && waits <= 59),
  };
  return Object.keys(checks).filter((name) => !checks[name]);
}

function describedProblems(document: Schema, asked: Asked, answer: RawAnswer): readonly string[] {
  const path = plainPath(asked.path);
  const operations = Object.entries(document.paths as Record<string, Schema>).find(([template]) =>
    isPathOf(template, path),
  )?.[1];
  const operation = operations?.[asked.method === 'HEAD' ? 'get' : asked.method.toLowerCase()];
  if (asked.method === 'HEAD') return [];
  const response = isRecord(operation) && isRecord(operation.responses) && operation.responses[answer.status];
  if ([202, 304].includes(answer.status) && isRecord(response))
    return answer.body === '' ? [] : ['has a body'];
  if (isRecord(response)) return contentProblems(response, answer, document);
  if (operation !== undefined && !ANSWERS_BEFORE_ROUTING.includes(answer.status)) {
    return [`${asked.method} ${path} describes no ${answer.status}`];
  }
  const name = errorSchemaName(operations, path);
  return schemaProblems({ $ref: `#/components/schemas/${name}` }, JSON.parse(answer.body), document);
}

function contentProblems(
  response: Schema,
  { headers, body }: RawAnswer,
  document: Schema,
): readonly string[] {
  const type = headers['content-type']?.replace(/;.*/, '') ?? '';
  const content = isRecord(response.content) ? response.content[type] : undefined;
  if (!isRecord(content) || !isRecord(content.schema)) return [`describes no ${type}`];
  const value: unknown = type === 'application/json' ? JSON.parse(body) : body;
  return schemaProblems(content.schema, value, document);
}

/** The error schema of a path: that of its operations, or of the family for unknown paths. */
function errorSchemaName(operations: Schema | undefined, path: string): string {
  const text = JSON.stringify(operations ?? {});
  const named = /#\/components\/schemas\/(\w+Error)/.exec(text)?.[1];
  if (named !== undefined) return named;
  if (/^\/(admin\/v1|console\/api)(\/|$)/.test(path)) return 'AdminError';
  return /^\/v1\/messages(\/|$)/.test(path) ? 'MessagesError' : 'ModelsError';
}
