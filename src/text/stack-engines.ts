import type { Abortable } from '../access/admission.ts';
import type { Caller } from '../access/caller.ts';
import { modelNotAllowed, permitsModel } from '../access/require-model.ts';
import type { StackWaker } from '../access/stack-waker.ts';
import { Fault } from '../faults/fault.ts';
import { andThen } from '../lib/and-then.ts';
import type { TextEngine } from './text-engine.ts';

/** The engines of a stack that are ready, its own first. */
export type ReadyEngines = readonly [TextEngine, ...TextEngine[]];

export interface StackEnginesParts {
  /** The engines of this installation by their names in the configuration. */
  readonly engines: ReadonlyMap<string, TextEngine>;
  readonly waker: StackWaker;
}

/** Finds the engines of a stack, and the name of the model that answers. */
export class StackEngines {
  readonly #parts: StackEnginesParts;

  constructor(parts: StackEnginesParts) {
    this.#parts = parts;
  }

  /** The stack's own engine, ready or not; `undefined` if this installation does not have it. */
  own({ stack }: Caller): TextEngine | undefined {
    return this.#parts.engines.get(stack.textEngines[0] ?? '');
  }

  /** Wakes a paused stack; throws a fault with the reason if no engine is ready, or the key may not use the stack's model. */
  ready(caller: Caller, request: Abortable): ReadyEngines | Promise<ReadyEngines> {
    const configured = this.#configured(caller);
    const woken = this.#parts.waker.wake(caller.stack, configured[0]?.lifecycle, request);
    return andThen(woken, () => {
      const [first, ...others] = configured.filter((engine) => engine.lifecycle.state === 'ready');
      if (first !== undefined) return [first, ...others];
      throw new Fault('model-not-ready', notReadyMessage(configured[0]));
    });
  }

  /** The engines that may serve the caller. */
  #configured(caller: Caller): readonly TextEngine[] {
    const configured: TextEngine[] = [];
    for (const name of caller.stack.textEngines) {
      const engine = this.#parts.engines.get(name);
      if (engine !== undefined) configured.push(engine);
    }
    if (caller.key.models === undefined) return configured;
    if (caller.models.length === 0) throw modelNotAllowed(caller, 'the text model of its stack');
    const own = this.own(caller)?.model;
    return configured.filter(({ model }) => model === own || permitsModel(caller, model));
  }

  /** The model of an engine that replaces the stack's own. */
  standIn(engine: TextEngine, caller: Caller): string | undefined {
    return this.own(caller) === engine ? undefined : engine.model;
  }

  /** The name of the model that answers; for the stack's own engine the first of its names, also if the key may use only others. */
  servedModel(engine: TextEngine, caller: Caller): string {
    return this.standIn(engine, caller) ?? caller.stack.models[0] ?? engine.model;
  }
}

function notReadyMessage(engine: TextEngine | undefined): string {
  if (engine === undefined) return 'The model of this stack is not part of this installation.';
  const { wait, state } = engine.lifecycle;
  return wait ?? `The model is not ready: its engine is ${state}.`;
}
