// The OCR model, fetched once for all runs.
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../.cache/ocr-models', import.meta.url));
const FETCH_BOUND_MS = 120_000;

/** Installs the OCR model for a gateway in this folder. If it is not available, pages that need it are answered 503. */
export async function installOcr(folder) {
  const { ModelStore } = await import('../../dist/catalogue/model-store.js');
  const store = new ModelStore({ dataDir: cache, environment: process.env });
  try {
    await store.install('pp-ocrv6-small', { signal: AbortSignal.timeout(FETCH_BOUND_MS) });
  } catch (error) {
    console.warn(`Without OCR: ${error.message}`);
    return;
  }
  await mkdir(join(folder, 'data'), { recursive: true });
  await cp(join(cache, 'models'), join(folder, 'data', 'models'), { recursive: true });
}
