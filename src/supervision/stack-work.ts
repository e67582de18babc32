/** For whom something is done, and until when it is wanted: the stack decides whose turn it is where others wait too. */
export interface StackWork {
  readonly stackId: string;
  readonly signal: AbortSignal;
}
