import { basename } from 'node:path';
import type { TextEngineConfig } from './config.ts';

/** Whether an embedded model is given by path rather than by catalogue name. */
export function isModelPath(model: string): boolean {
  return /[\\/]|\.gguf$/i.test(model);
}

/** Display name: the catalogue name, or the file's name. */
export function modelName(model: string): string {
  return isModelPath(model) ? basename(model).replace(/\.gguf$/i, '') : model;
}

/** The model name clients use for a text engine. */
export function servedModel(engine: TextEngineConfig): string {
  return engine.kind === 'llama' ? modelName(engine.model) : engine.model;
}
