/** What an operator may want to know about the embedded database, one line each. */
export type EmbeddedDatabaseEvent =
  | { readonly type: 'creation-start'; readonly message: string }
  | { readonly type: 'worker-lost'; readonly message: string; readonly retryInMs: number }
  | { readonly type: 'worker-restored'; readonly message: string }
  | { readonly type: 'socket-unavailable'; readonly message: string }
  | { readonly type: 'connection-cut'; readonly message: string }
  | { readonly type: 'maintenance-failed'; readonly message: string };

/** Takes the events of one embedded database. */
export type EmbeddedDatabaseLog = (event: EmbeddedDatabaseEvent) => void;
