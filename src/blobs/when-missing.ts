import { hasErrorCode } from '../lib/error-code.ts';

/** A handler for `catch` that answers with the value when what was looked for is not there. */
export function whenMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    // ELOOP is what opening a symbolic link says when links are not followed: such a link is no blob.
    if (hasErrorCode(error, 'ENOENT', 'ELOOP')) return value;
    throw error;
  };
}
