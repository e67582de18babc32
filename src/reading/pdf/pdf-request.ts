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

/** The request that a message holds; the parent is this program too, so anything else is a bug. */
export function parsePdfRequest(message: unknown): PdfRequest {
  if (typeof message !== 'object' || message === null) throw new TypeError('the parent sent no request');
  const { operation, bytes, page }: { operation?: unknown; bytes?: unknown; page?: unknown } = message;
  if (bytes instanceof Uint8Array) {
    if (operation === 'inspect' || operation === 'read') return { operation, bytes };
    if (operation === 'draw' && typeof page === 'number') return { operation, bytes, page };
  }
  throw new TypeError('the parent sent an unknown request');
}

/** What `workerData` holds. */
export function parsePdfWorkerSettings(data: unknown): PdfWorkerSettings {
  const { maxMemoryBytes, maxDocumentMs }: { maxMemoryBytes?: unknown; maxDocumentMs?: unknown } = data ?? {};
  if (typeof maxMemoryBytes !== 'number' || typeof maxDocumentMs !== 'number') {
    throw new TypeError('the parent gave no settings');
  }
  return { maxMemoryBytes, maxDocumentMs };
}
