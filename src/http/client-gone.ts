/** The reason of an abort when the client closed its connection. */
export class ClientGone extends Error {
  override readonly name = 'ClientGone';
  override readonly message = 'the client closed the connection';
}

/** Whether work failed because its client left. */
export function isClientGone(thrown: unknown): boolean {
  return thrown instanceof ClientGone || (thrown instanceof Error && thrown.cause instanceof ClientGone);
}
