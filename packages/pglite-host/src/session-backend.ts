/** Options of one request to the session. */
export interface ExecuteOptions {
  /** Receives the answer in chunks before `execute` resolves. */
  readonly onData: (bytes: Buffer) => void;
  /** The session is ended after this; the statement timeout by default. */
  readonly timeoutMs?: number;
}

/** The one PostgreSQL session that all connections share. */
export interface SessionBackend {
  /** The server messages that open a connection; undefined while the database is away. */
  readonly greeting: Buffer | undefined;
  /** Sends complete messages; resolves when the session has answered and waits for more. */
  execute(request: Uint8Array, options: ExecuteOptions): Promise<void>;
}
