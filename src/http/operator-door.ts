import type { Abortable } from '../access/admission.ts';
import type { Authenticator } from '../access/authenticator.ts';
import type { Operator } from '../access/operator.ts';
import { bearerCredential } from '../families/credential.ts';
import type { Incoming } from './incoming.ts';

/** A way for operators to come in, with a credential that opens no other. */
export interface OperatorDoor {
  /** The operator of a request; throws if its credential does not open this door. */
  operatorOf(incoming: Incoming, request: Abortable): Operator | Promise<Operator>;
}

/** The door of programs, which opens with an operator token. */
export class TokenDoor implements OperatorDoor {
  readonly #authenticator: Authenticator<Operator>;

  constructor(authenticator: Authenticator<Operator>) {
    this.#authenticator = authenticator;
  }

  async operatorOf({ headers, address }: Incoming, request: Abortable): Promise<Operator> {
    const hash = this.#authenticator.hash(bearerCredential(headers));
    return { ...(await this.#authenticator.authenticate(hash, address, request)), address };
  }
}
