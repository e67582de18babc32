/** Events of the embedded database for the operator's log; messages are single lines. */
export type EmbeddedDatabaseEvent =
  | { readonly type: 'creation-start'; readonly message: string }
  | { readonly type: 'worker-lost'; readonly message: string; readonly retryInMs: number }
  | { readonly type: 'worker-restored'; readonly message: string }
  | { readonly type: 'socket-unavailable'; readonly message: string }
  | { readonly type: 'connection-cut'; readonly message: string }
  | { readonly type: 'maintenance-failed'; readonly message: string };

/** Receives the events of one embedded database. */
export type EmbeddedDatabaseLog = (event: EmbeddedDatabaseEvent) => void;
