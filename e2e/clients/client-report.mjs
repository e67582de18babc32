import { createRequire } from 'node:module';
import { join } from 'node:path';

/** What to call, from the command line: one JSON object. */
export function readTask() {
  return JSON.parse(process.argv[2] ?? '{}');
}

/** An installed client by its alias. */
export function loadClient({ folder, alias }) {
  return createRequire(join(folder, 'package.json'))(alias);
}

/** What a call gave, or the error that the client made of it. */
export async function outcomeOf(sdk, call) {
  try {
    return await call();
  } catch (error) {
    const classes = ['AuthenticationError', 'NotFoundError'];
    return {
      error: classes.find((name) => error instanceof sdk[name]) ?? error.constructor.name,
      message: error.message,
      // Named with an underscore in the clients of 2024.
      requestId: error.requestID ?? error.request_id,
    };
  }
}

/** Prints a report for the test to read. */
export function printReport(report) {
  console.log(JSON.stringify(report));
}
