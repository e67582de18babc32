import { basename } from 'node:path';
import type { TextEngineConfig } from './config.ts';

/** Whether an embedded model is named by the path of its file instead of a name of the catalogue. */
export function isModelPath(model: string): boolean {
  return /[\\/]|\.gguf$/i.test(model);
}

/** What people call an embedded model: its name in the catalogue, or the name of its file. */
export function modelName(model: string): string {
  return isModelPath(model) ? basename(model).replace(/\.gguf$/i, '') : model;
}

/** What clients call the model of a text engine. */
export function servedModel(engine: TextEngineConfig): string {
  return engine.kind === 'llama' ? modelName(engine.model) : engine.model;
}
