import { basename } from 'node:path';

/** Whether a model is named by the path of its file instead of a name of the catalogue. */
export function isModelPath(model: string): boolean {
  return /[\\/]|\.gguf$/i.test(model);
}

/** What clients call a model: its name in the catalogue, or the name of its file. */
export function servedModelName(model: string): string {
  return isModelPath(model) ? basename(model).replace(/\.gguf$/i, '') : model;
}
