/** A request to the worker: `read` streams pages, the others give one answer. */
export type PdfRequest =
  | { readonly operation: 'inspect'; readonly bytes: Uint8Array }
  | { readonly operation: 'read'; readonly bytes: Uint8Array }
  | { readonly operation: 'draw'; readonly bytes: Uint8Array; readonly page: number }
  | { readonly operation: 'show'; readonly bytes: Uint8Array; readonly page: number };

export interface PdfWorkerSettings {
  readonly maxMemoryBytes: number;
  readonly maxDocumentMs: number;
}

/** Parses a request. It comes from our own parent, so anything else is a bug. */
export function parsePdfRequest(message: unknown): PdfRequest {
  if (typeof message !== 'object' || message === null) throw new TypeError('the parent sent no request');
  const { operation, bytes, page }: { operation?: unknown; bytes?: unknown; page?: unknown } = message;
  if (bytes instanceof Uint8Array) {
    if (operation === 'inspect' || operation === 'read') return { operation, bytes };
    if ((operation === 'draw' || operation === 'show') && typeof page === 'number')
      return { operation, bytes, page };
  }
  throw new TypeError('the parent sent an unknown request');
}

/** Parses `workerData`. */
export function parsePdfWorkerSettings(data: unknown): PdfWorkerSettings {
  const { maxMemoryBytes, maxDocumentMs }: { maxMemoryBytes?: unknown; maxDocumentMs?: unknown } = data ?? {};
  if (typeof maxMemoryBytes !== 'number' || typeof maxDocumentMs !== 'number') {
    throw new TypeError('the parent gave no settings');
  }
  return { maxMemoryBytes, maxDocumentMs };
}
