/** What the database worker is started with. */
export interface WorkerSetup {
  readonly folder: string;
  /** For tests: while its first integer is not 0, every write fails as on a full disk. */
  readonly fullDisk?: SharedArrayBuffer;
}

/** What the database worker is asked; one request at a time. */
export type WorkerRequest =
  | { readonly type: 'execute'; readonly bytes: Uint8Array }
  | { readonly type: 'close' };

/** What the database worker reports. */
export type WorkerReport =
  | { readonly type: 'ready'; readonly greeting: Uint8Array }
  | { readonly type: 'data'; readonly bytes: Uint8Array }
  | { readonly type: 'done' }
  | { readonly type: 'closed' }
  | { readonly type: 'failed'; readonly reason: string };
