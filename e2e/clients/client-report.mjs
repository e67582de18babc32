import { createRequire } from 'node:module';
import { join } from 'node:path';

// Named by `instanceof`, since some builds of the clients minify class names.
const CLASSES = [
  'AuthenticationError',
  'BadRequestError',
  'NotFoundError',
  'OverloadedError',
  'InternalServerError',
  'APIUserAbortError',
  'APIError',
];

/** The task from the command line: one JSON object. */
export function readTask() {
  return JSON.parse(process.argv[2] ?? '{}');
}

/** An installed client by its alias. */
export function loadClient({ folder, alias }) {
  return createRequire(join(folder, 'package.json'))(alias);
}

/** The result of a call, or the client's error. */
export async function outcomeOf(sdk, call) {
  try {
    return await call();
  } catch (error) {
    const isOf = (name) => sdk[name] !== undefined && error instanceof sdk[name];
    return {
      error: CLASSES.find(isOf) ?? error.constructor.name,
      message: error.message,
      // With an underscore in the clients of 2024.
      requestId: error.requestID ?? error.request_id,
      status: error.status ?? error.statusCode,
      type: typeOf(error),
      code: error.code,
    };
  }
}

/** Anthropic's clients keep the whole body, OpenAI's its `error`; some keep that of an event in the message only. */
function typeOf({ error, type, message }) {
  const body = error ?? (message.startsWith('{') ? JSON.parse(message) : undefined);
  return body?.error?.type ?? body?.type ?? type;
}

/** The results of concurrent calls, by name. */
export async function outcomesOf(sdk, calls) {
  const outcomes = await Promise.all(Object.values(calls).map((call) => outcomeOf(sdk, call)));
  return Object.fromEntries(Object.keys(calls).map((name, index) => [name, outcomes[index]]));
}

/** Prints a report for the test. */
export function printReport(report) {
  console.log(JSON.stringify(report));
}
