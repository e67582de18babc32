/** Whether the error is one of the operating system's with one of these codes, such as ENOENT. */
export function isSystemError(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => error.code === code);
}

/** A handler for `catch` that answers with the value when what was looked for is not there. */
export function whenMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    // ELOOP is what opening a symbolic link says when links are not followed: such a link is no blob.
    if (isSystemError(error, 'ENOENT', 'ELOOP')) return value;
    throw error;
  };
}
