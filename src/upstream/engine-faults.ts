import { Fault } from '../faults/fault.ts';
import { isRecord, parseJson } from '../lib/json-record.ts';
import type { ResponseHead } from './response-head.ts';

// "invalid_request_error", "BadRequestError", "context_length_exceeded", 40303.
const ERROR_NAME = /^[\w.-]{1,60}$/u;

/** How a server refused, for the log: its status and how it names the error. Its message may repeat the prompt, and is left out. */
export class UpstreamRefusal extends Error {
  override readonly name = 'UpstreamRefusal';
  readonly status: number;

  constructor(status: number, text: string) {
    super(`status ${status}${errorNames(text)}`);
    this.status = status;
  }
}

/** The error's own names, of `{"error": {"type", "code"}}` or of the same without `error` around it. */
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

/** The server is not there. */
export function unreachable(cause: unknown): Fault {
  return new Fault('engine-failed', 'The model server could not be reached; retry.', { cause });
}

/** The server left in the midst of an answer. */
export function brokenOff(cause: unknown): Fault {
  return new Fault('engine-failed', 'The model server broke off its answer; retry.', { cause });
}

/** The server said something that cannot be used. */
export function unusable(cause: unknown): Fault {
  const message = 'The model server answered something that is no answer; retry.';
  return new Fault('engine-failed', message, { cause });
}

/** The server was too slow. */
export function tooSlow(what: string): Fault {
  const message = 'The model server took too long; retry later or ask for less.';
  return new Fault('engine-timeout', message, { cause: new Error(what) });
}

/** More work than may wait. */
export function overloaded(cause: unknown, retryAfterSeconds?: number): Fault {
  return new Fault('engine-overloaded', 'The model server has too much to do; retry later.', {
    cause,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/** Whether a fault is this gateway's own refusal, and not what became of asking an engine. */
export function isRefusedHere({ status, cause }: Fault): boolean {
  return status < 500 && !(cause instanceof UpstreamRefusal);
}

/** Whether another server may do what this one could not. */
export function isWorthAnotherReplica({ code }: Fault): boolean {
  return code === 'engine-failed' || code === 'engine-overloaded';
}

/** The fault that a status other than 200 stands for. The server's text becomes the cause and nothing else. */
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
