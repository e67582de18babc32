import { Fault } from '../../faults/fault.ts';
import { NotJson } from '../../lib/json-record.ts';
import { UpstreamRefusal } from '../../upstream/engine-faults.ts';

/** Maps every failure of an image server to one fault; the server's message is for the log only. */
export function notReady(error: unknown): Fault {
  if (!(error instanceof Fault)) return new Fault('model-not-ready', FAILED, { cause: error });
  const { code, cause = error, retryAfterSeconds } = error;
  if (code === 'model-not-ready') return error;
  const delay = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new Fault('model-not-ready', messages.get(code) ?? FAILED, { cause, ...delay });
}

const FAILED = 'The image server failed; retry.';
const messages: ReadonlyMap<Fault['code'], string> = new Map<Fault['code'], string>([
  ['engine-timeout', 'The image server took too long; retry later.'],
  ['engine-overloaded', 'The image server has too much to do; retry later.'],
]);

/** The server answered without a picture. */
export function noPicture(): Fault {
  return new Fault('model-not-ready', 'The image server answered without an image; retry.', {
    cause: new Error('the answer has no picture in it'),
  });
}

/** Whether the server has no such path. */
export function isNoSuchPath(error: unknown): boolean {
  const cause = error instanceof Fault ? error.cause : undefined;
  return cause instanceof UpstreamRefusal && (cause.status === 404 || cause.status === 405);
}

/** Whether the server answered 200 without JSON, as health routes do. */
export function isWithoutJson(error: unknown): boolean {
  return error instanceof Fault && error.cause instanceof NotJson;
}
