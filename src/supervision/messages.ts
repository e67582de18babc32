import { isRecord } from '../lib/json-record.ts';

/** An error thrown by a child's handler. */
export interface FailureReport {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly stack?: string;
}

/** `window` is how many batches the child may send before it gets credit; zero for a request with a single answer. */
export type MessageToChild =
  | { readonly type: 'request'; readonly id: number; readonly payload: unknown; readonly window: number }
  | { readonly type: 'credit'; readonly id: number; readonly batches: number }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'stop' };

/** A request starts with `start` and ends with exactly one `answer` or `failure`, cancelled or not. */
export type MessageFromChild =
  /** The first message. `thread`: the OS id of the child's thread, where it is available. */
  | { readonly type: 'alive'; readonly thread?: number }
  | { readonly type: 'ready' }
  | { readonly type: 'start'; readonly id: number }
  | { readonly type: 'batch'; readonly id: number; readonly events: readonly unknown[] }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown; readonly memoryBytes: number }
  | {
      readonly type: 'failure';
      readonly id: number;
      readonly error: FailureReport;
      readonly memoryBytes: number;
    };

/** Parses a child's message; undefined if it is invalid: the child may be confused or its memory corrupt. */
export function parseMessageFromChild(message: unknown): MessageFromChild | undefined {
  if (!isRecord(message)) return undefined;
  const { type, id, thread } = message;
  if (type === 'alive') return { type, ...(typeof thread === 'number' && { thread }) };
  if (type === 'ready') return { type };
  if (typeof id !== 'number') return undefined;
  if (type === 'start') return { type, id };
  if (type === 'batch')
    return Array.isArray(message.events) ? { type, id, events: message.events } : undefined;
  const { memoryBytes } = message;
  if (typeof memoryBytes !== 'number') return undefined;
  if (type === 'answer') return { type, id, value: message.value, memoryBytes };
  if (type !== 'failure') return undefined;
  const error = parseFailure(message.error);
  return error && { type, id, error, memoryBytes };
}

/** Parses a parent's message. It comes from this program, so anything else is a bug. */
export function parseMessageToChild(message: unknown): MessageToChild {
  if (!isRecord(message)) throw new TypeError('the parent sent no message');
  const { type, id, payload, window, batches } = message;
  if (type === 'stop') return { type };
  if (typeof id === 'number') {
    if (type === 'cancel') return { type, id };
    if (type === 'credit' && typeof batches === 'number') return { type, id, batches };
    if (type === 'request' && typeof window === 'number') return { type, id, payload, window };
  }
  throw new TypeError('the parent sent an unknown message');
}

function parseFailure(error: unknown): FailureReport | undefined {
  if (!isRecord(error)) return undefined;
  const { name, message, code, stack } = error;
  if (typeof name !== 'string' || typeof message !== 'string') return undefined;
  return {
    name,
    message,
    ...(typeof code === 'string' && { code }),
    ...(typeof stack === 'string' && { stack }),
  };
}
