import { limitsByFileNames } from '../config/limit-settings.ts';
import type { StackRecord } from '../store/stack-records.ts';
import { promptNote } from './prompt-note.ts';

/** A stack with the key names of the configuration file. */
export function stackView(stack: StackRecord) {
  return {
    id: stack.id,
    account: stack.accountId,
    plan: stack.plan,
    image_plan: stack.imagePlan,
    text: stack.textEngines,
    image: stack.imageEngine,
    models: stack.models,
    system_prompt: stack.systemPrompt,
    temperature: stack.temperature,
    paused: stack.paused,
    responses: { store: stack.storeResponses },
    limits: limitsByFileNames(stack.limits),
    budget: stack.budget,
    declared: stack.declared,
    disabled_at: stack.disabledAt,
    created_at: stack.createdAt,
  };
}

/** A stack for the audit, which has no prompt in it. */
export function auditedStack(stack: StackRecord): object {
  const { id: _id, created_at: _created, system_prompt, ...view } = stackView(stack);
  return { ...view, system_prompt: promptNote(system_prompt) };
}
