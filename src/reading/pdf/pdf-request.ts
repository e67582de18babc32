/** What the worker is asked: `read` is answered by a stream of pages, the others by one answer. */
export type PdfRequest =
  | { readonly operation: 'inspect'; readonly bytes: Uint8Array }
  | { readonly operation: 'read'; readonly bytes: Uint8Array }
  | { readonly operation: 'draw'; readonly bytes: Uint8Array; readonly page: number };

/** What the worker is started with. */
export interface PdfWorkerSettings {
  readonly maxMemoryBytes: number;
  readonly maxDocumentMs: number;
}
