import { readFinderWeights, shippedFinderFolder } from '../reading/fields/finder-weights.ts';
import type { Finding } from './finding.ts';

const check = 'field finder';

/** Checks that the weights of the network that finds fields are here, and are those that were shipped. */
export async function checkFieldFinder(folder: string = shippedFinderFolder()): Promise<Finding> {
  try {
    await readFinderWeights(folder);
    return { check, result: 'ok', message: 'its weights are here, and their checksums are right' };
  } catch (error) {
    return {
      check,
      result: 'failure',
      message: error instanceof Error ? error.message : String(error),
      remedy: 'Install the gateway again; until then rules alone find values in grounded extractions.',
    };
  }
}
