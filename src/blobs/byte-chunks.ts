import type { BlobBytes } from './blob-store.ts';

/** Iterates over the chunks; throws the signal's reason as soon as it aborts, even while the source is silent. */
export async function* byteChunks(bytes: BlobBytes, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  if (bytes instanceof Uint8Array) {
    yield bytes;
    return;
  }
  const source = bytes[Symbol.asyncIterator]();
  const abort = rejectOnAbort(signal);
  try {
    for (;;) {
      const step = await Promise.race([source.next(), abort.rejected]);
      if (step.done === true) return;
      yield step.value;
    }
  } finally {
    abort.forget();
    // Not awaited: a generator that hangs in next() answers return() only after it.
    Promise.resolve(source.return?.()).catch(() => undefined);
  }
}

function rejectOnAbort(signal: AbortSignal): { readonly rejected: Promise<never>; forget(): void } {
  let onAbort = (): void => undefined;
  const rejected = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
  });
  rejected.catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return { rejected, forget: () => signal.removeEventListener('abort', onAbort) };
}
