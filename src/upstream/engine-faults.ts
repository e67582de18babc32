import { Fault } from '../faults/fault.ts';
import { isRecord, parseJson } from '../lib/json-record.ts';
import type { ResponseHead } from './response-head.ts';

// "invalid_request_error", "BadRequestError", "context_length_exceeded", 40303.
const ERROR_NAME = /^[\w.-]{1,60}$/u;

/** A server's refusal, for the log: status and error names. Its message may repeat the prompt and is left out. */
export class UpstreamRefusal extends Error {
  override readonly name = 'UpstreamRefusal';
  readonly status: number;

  constructor(status: number, text: string) {
    super(`status ${status}${errorNames(text)}`);
    this.status = status;
  }
}

/** The error names in `{"error": {"type", "code"}}`, with or without the outer `error`. */
function errorNames(text: string): string {
  const body = jsonOrNothing(text);
  const error = isRecord(body) && isRecord(body.error) ? body.error : body;
  if (!isRecord(error)) return '';
  const names = [error.type, error.code].filter(
    (name) => (typeof name === 'string' || typeof name === 'number') && ERROR_NAME.test(String(name)),
  );
  return names.length === 0 ? '' : ` (${names.join(', ')})`;
}

function jsonOrNothing(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

export function unreachable(cause: unknown): Fault {
  return new Fault('engine-failed', 'The model server could not be reached; retry.', { cause });
}

/** The connection broke in the middle of an answer. */
export function brokenOff(cause: unknown): Fault {
  return new Fault('engine-failed', 'The model server broke off its answer; retry.', { cause });
}

/** The response makes no sense. */
export function unusable(cause: unknown): Fault {
  const message = 'The model server answered something that is no answer; retry.';
  return new Fault('engine-failed', message, { cause });
}

export function tooSlow(what: string): Fault {
  const message = 'The model server took too long; retry later or ask for less.';
  return new Fault('engine-timeout', message, { cause: new Error(what) });
}

/** Too many requests are waiting. */
export function overloaded(cause: unknown, retryAfterSeconds?: number): Fault {
  return new Fault('engine-overloaded', 'The model server has too much to do; retry later.', {
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/** Whether the gateway itself refused the request, rather than an engine. */
export function isRefusedHere({ status, cause }: Fault): boolean {
  return status < 500 && !(cause instanceof UpstreamRefusal);
}

/** Whether another server may succeed. */
export function isWorthAnotherServer({ code }: Fault): boolean {
  return code === 'engine-failed' || code === 'engine-overloaded';
}

/** The fault for a status other than 200. The server's text is only used as its cause. */
export function faultOfStatus(head: Pick<ResponseHead, 'status' | 'retryAfterSeconds'>, text: string): Fault {
  const cause = new UpstreamRefusal(head.status, text);
  switch (head.status) {
    case 429:
    case 503:
    case 529:
      return overloaded(cause, head.retryAfterSeconds);
    case 400:
    case 413:
    case 422:
      return isAboutContext(text) ? contextExceeded(cause) : refused(cause);
    case 408:
    case 504:
      return new Fault('engine-timeout', 'The model server took too long; retry later or ask for less.', {
        cause,
      });
    default:
      return new Fault('engine-failed', 'The model server failed; retry.', { cause });
  }
}

function refused(cause: unknown): Fault {
  const message = 'The model server refused the request; change what is asked of the model.';
  return new Fault('engine-refused', message, { cause });
}

function contextExceeded(cause: unknown): Fault {
  const message =
    'prompt is too long: with the reserved output it does not fit the context window of the model server; shorten the conversation';
  return new Fault('context-length-exceeded', message, { cause });
}

// vLLM: "maximum context length is", "longer than the maximum model length"; llama-server: "exceed_context_size_error",
// "exceeds the available context size"; OpenAI and SGLang: "context_length_exceeded", "context length".
function isAboutContext(text: string): boolean {
  return /context[_ ](?:length|size|window)|maximum model length|max_model_len|prompt is too long/i.test(
    text,
  );
}
