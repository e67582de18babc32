/** Whether it is a system error with one of these codes, such as ENOENT. */
export function isSystemError(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => error.code === code);
}

/** A `catch` handler that returns the value if the file is missing. */
export function whenMissing<Value>(value: Value): (error: unknown) => Value {
  return (error) => {
    // ELOOP: opening a symbolic link without following it; such a link is not a blob.
    if (isSystemError(error, 'ENOENT', 'ELOOP')) return value;
    throw error;
  };
}
