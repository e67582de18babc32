/** The stack that work is for, which decides whose turn it is, and the signal that ends it. */
export interface StackWork {
  readonly stackId: string;
  readonly signal: AbortSignal;
}
