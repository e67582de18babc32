import type { Caller } from '../../access/caller.ts';
import type { KnownCaller } from '../../access/caller-directory.ts';
import type { Operator } from '../../access/operator.ts';
import { PLAYGROUND_KEY } from '../../config/playground-key.ts';
import { Fault } from '../../faults/fault.ts';
import type { Session } from '../../people/sessions.ts';
import { noStack } from '../admin/admin-rights.ts';
import type { Incoming } from '../incoming.ts';
import { operatorOf, type SessionDoor } from './session-door.ts';

export interface PlaygroundCallersParts {
  readonly door: Pick<SessionDoor, 'sessionOfRequest'>;
  /** Finds the caller of a key. */
  readonly findKey: (stackId: string, keyId: string) => Promise<KnownCaller | undefined>;
  /** Makes the key of the playground, if the stack has none; returns false if there is no such stack. */
  readonly makeKey: (stackId: string, operator: Operator) => Promise<boolean>;
  readonly hasStack: (stackId: string) => Promise<boolean>;
}

/** Finds the caller of a request to the playground: the stack in its path, with the key of the playground. */
export class PlaygroundCallers {
  readonly #parts: PlaygroundCallersParts;

  constructor(parts: PlaygroundCallersParts) {
    this.#parts = parts;
  }

  async callerOf(incoming: Incoming): Promise<Caller> {
    const session = await this.#parts.door.sessionOfRequest(incoming);
    const stackId = incoming.params.stack ?? '';
    const isOther = session.stackId !== undefined && session.stackId !== stackId;
    if (isOther || stackId.includes('\0')) throw noStack(stackId);
    if (session.role === 'read-only' && !['GET', 'HEAD'].includes(incoming.method ?? '')) {
      throw new Fault('operator-refused', `"${session.name}" is read-only, and cannot use the playground.`);
    }
    return (await this.#find(stackId, session, incoming.address)).caller;
  }

  async #find(stackId: string, session: Session, address: string): Promise<KnownCaller> {
    const { findKey, makeKey, hasStack } = this.#parts;
    // A pasted key may do here what it may do elsewhere.
    if (session.key !== undefined)
      return (await findKey(stackId, session.key.id)) ?? refuse(noStack(stackId));
    const known = await findKey(stackId, PLAYGROUND_KEY);
    if (known !== undefined) return known;
    // Who is read-only changes nothing, so the key is not made for them.
    const isReadOnly = session.role === 'read-only';
    const isThere = isReadOnly
      ? await hasStack(stackId)
      : await makeKey(stackId, operatorOf(session, address));
    if (!isThere) throw noStack(stackId);
    return (isReadOnly ? undefined : await findKey(stackId, PLAYGROUND_KEY)) ?? refuse(notOpen(stackId));
  }
}

function refuse(fault: Fault): never {
  throw fault;
}

function notOpen(stackId: string): Fault {
  return new Fault(
    'operator-refused',
    `The playground of stack "${stackId}" is not open: it was not used yet, its key "${PLAYGROUND_KEY}" is revoked, or the stack is disabled.`,
  );
}
