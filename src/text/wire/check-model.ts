import { Fault } from '../../faults/fault.ts';
import { describeValue } from './parse-field.ts';

/** Throws if the stack does not serve a model of that name. */
export function checkModel(model: string, models: readonly string[]): void {
  if (models.includes(model)) return;
  const served = models.map((name) => JSON.stringify(name)).join(', ');
  throw new Fault('model-not-found', `This stack serves ${served}, not ${describeValue(model)}.`, {
    param: 'model',
  });
}
