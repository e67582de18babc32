import type { CatalogueEntry, ModelSource } from '../../src/catalogue/catalogue-entry.ts';
import { madeModel, sha256Of } from './made-files.ts';

/** The model that tests fetch. */
export const testModel = madeModel(300_000);

/** A model of one file with a known hash. */
export function pinnedEntry(...sources: readonly ModelSource[]): CatalogueEntry {
  const file = {
    role: 'weights',
    name: 'model.gguf',
    sizeBytes: testModel.length,
    sha256: sha256Of(testModel),
  } as const;
  return { ...facts, name: 'tiny', files: [file], sources };
}

/** A model of one file with an unknown hash. */
export function unpinnedEntry(...sources: readonly ModelSource[]): CatalogueEntry {
  const file = { role: 'weights', name: 'model.gguf', aboutBytes: 300_000 } as const;
  return { ...facts, name: 'loose', files: [file], sources };
}

/** The file by HTTP. */
export function hub(url: string): ModelSource {
  return { kind: 'https', downloads: [{ file: 'model.gguf', url }] };
}

/** The file in a package. */
export function packaged(kind: 'pip' | 'npm', path: string): ModelSource {
  const members = [{ file: 'model.gguf', path }];
  return { kind, packages: [{ name: 'tiny-model', version: '1.0', sizeBytes: 300_000, members }] };
}

const facts = { kind: 'text', summary: 'For tests.', licence: 'MIT', tried: true } as const;
