import type { Caller } from '../access/caller.ts';
import type { FamilyName } from '../families/family.ts';
import type { Fault } from '../faults/fault.ts';

const SERVER_ERROR = 500;

/** The last failure of requests that each engine served, for operators. */
export class EngineFailures {
  readonly #last = new Map<string, string>();

  /** Notes a failure of a request in the dialect of a family. */
  note(caller: Caller, family: FamilyName, fault: Fault): void {
    if (fault.status < SERVER_ERROR) return;
    const engine = engineOf(caller, family);
    if (engine === undefined) return;
    this.#last.set(engine, `${new Date().toISOString()} ${fault.wireCode ?? fault.code}: ${fault.message}`);
  }

  /** Of an engine by its metric label, such as `text:gpu`. */
  of(engine: string): string | undefined {
    return this.#last.get(engine);
  }
}

/** The number of engines bounds the number of failures that are kept. */
function engineOf({ stack }: Caller, family: FamilyName): string | undefined {
  switch (family) {
    case 'chat':
    case 'messages':
      return stack.textEngines[0] && `text:${stack.textEngines[0]}`;
    case 'images':
      return stack.imageEngine && `image:${stack.imageEngine}`;
    default:
      return undefined;
  }
}
