/** Extensions of PostgreSQL by name: the address of the module that exports each under this name. */
export type Extensions = Readonly<Record<string, string>>;

/** The start data of the database worker. */
export interface WorkerSetup {
  readonly folder: string;
  readonly extensions?: Extensions;
  /** For tests: while its first integer is not 0, every write fails as on a full disk. */
  readonly fullDisk?: SharedArrayBuffer;
}

/** Requests to the database worker; one at a time. */
export type WorkerRequest =
  | { readonly type: 'execute'; readonly bytes: Uint8Array }
  | { readonly type: 'close' };

/** Messages from the database worker. */
export type WorkerReport =
  | { readonly type: 'ready'; readonly greeting: Uint8Array }
  | { readonly type: 'data'; readonly bytes: Uint8Array }
  | { readonly type: 'done' }
  | { readonly type: 'closed' }
  | { readonly type: 'failed'; readonly reason: string };
