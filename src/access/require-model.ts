import { Fault } from '../faults/fault.ts';
import type { Caller } from './caller.ts';

/** Throws if the key may not use the model. */
export function requireModel(caller: Caller, model: string): void {
  if (!permitsModel(caller, model)) throw modelNotAllowed(caller, `the model "${model}"`);
}

/** Whether the key may use the model. */
export function permitsModel({ key }: Caller, model: string): boolean {
  return key.models === undefined || key.models.includes(model);
}

export function modelNotAllowed({ key }: Caller, what: string): Fault {
  const permitted = (key.models ?? []).map((model) => `"${model}"`).join(', ');
  return new Fault('model-not-allowed', `This key may not use ${what}; its \`models\` are ${permitted}.`);
}
