import { ApiError } from './api-error.ts';

/** Everything the console asks for is below this path. */
export const API = '/console/api';

/** Called for every answer that says that the session has ended. */
let onSignedOut: () => void = () => {};

export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly json?: unknown;
  /** A body that is written already, as JSON. */
  readonly text?: string;
  readonly form?: FormData;
  readonly etag?: string | undefined;
  readonly accept?: string;
  readonly lastEventId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request and gives its answer, or throws what the gateway said. */
export async function ask(
  path: string,
  { method = 'GET', json, text, form, etag, accept, lastEventId, signal }: Ask = {},
): Promise<Response> {
  const body = form ?? text ?? (json === undefined ? undefined : JSON.stringify(json));
  const answer = await fetch(`${API}${path}`, {
    method,
    credentials: 'same-origin',
    ...(body !== undefined && { body }),
    ...(signal !== undefined && { signal }),
    headers: {
      ...(accept !== undefined && { accept }),
      ...(body !== undefined && form === undefined && { 'content-type': 'application/json' }),
      ...(etag !== undefined && { 'if-match': etag }),
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    },
  });
  if (answer.ok) return answer;
  const problem = new ApiError(answer.status, await bodyOf(answer));
  if (answer.status === 401 && path !== '/session') onSignedOut();
  throw problem;
}

// The console and the gateway that serves it are of one version, so the shape of an answer is not checked again here.
export async function askJson<T>(path: string, options: Ask = {}): Promise<T> {
  const answer = await ask(path, options);
  return answer.status === 204 ? (undefined as T) : ((await answer.json()) as T);
}

async function bodyOf(answer: Response): Promise<unknown> {
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `?a=1&b=2` of what is set. */
export function query(fields: Readonly<Record<string, string | number | null | undefined>>): string {
  const set = Object.entries(fields).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  return set.length === 0 ? '' : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`;
}

/** The path of a route of /v1, run as a stack. */
export function playground(stack: string, path: string): string {
  return `/playground/${encodeURIComponent(stack)}${path}`;
}
