/** How one request to the session is carried out. */
export interface ExecuteOptions {
  /** Takes the answer piece by piece, before `execute` resolves. */
  readonly onData: (bytes: Buffer) => void;
  /** Longer than this and the session is ended; the statement timeout when not given. */
  readonly timeoutMs?: number;
}

/** The one PostgreSQL session that all connections share. */
export interface SessionBackend {
  /** What a connection is told at its beginning; undefined while the database is away. */
  readonly greeting: Buffer | undefined;
  /** Passes whole messages on; resolves when the session has answered and would wait for more. */
  execute(request: Uint8Array, options: ExecuteOptions): Promise<void>;
}
