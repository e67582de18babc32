import type { ModelStore } from '../catalogue/model-store.ts';
import type { Config } from '../config/config.ts';
import { ocrFiles } from '../reading/ocr/ocr-files.ts';
import type { Finding } from './finding.ts';

const check = 'ocr';

/** Checks that the configured OCR model is installed. */
export async function checkOcr(
  { engines }: Config,
  models: Pick<ModelStore, 'find'>,
  signal: AbortSignal,
): Promise<Finding> {
  const { model } = engines.ocr;
  try {
    const found = await models.find(model, signal);
    if (!found) {
      return {
        check,
        result: 'warning',
        message: `the model "${model}" is not here yet; until it is, scans and pictures cannot be read`,
        remedy: `Start the gateway where a package registry can be reached, or run: stackgate models pull ${model}`,
      };
    }
    const isForOcr = ocrFiles((role) => found.files.find((file) => file.role === role)?.path) !== undefined;
    if (isForOcr) return { check, result: 'ok', message: `${model} is here` };
    return failure(`the model "${model}" is not one that reads pictures`);
  } catch (error) {
    return failure(error instanceof Error ? error.message : String(error));
  }
}

function failure(message: string): Finding {
  return {
    check,
    result: 'failure',
    message,
    remedy: 'Set engines.ocr.model to a model for OCR from: stackgate models list',
  };
}
