/** An operator's request that cannot be fulfilled; the message says why and what to do instead. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}
