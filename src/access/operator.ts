/** The ways in which the gateway is operated; `file`: by the configuration file. */
export type OperatorDoorName = 'cli' | 'token' | 'console' | 'file';

/**
 * The rights of an operator. `operator`: everything, `read-only`: see everything, `member`: see one stack and work with its keys.
 */
export type OperatorRole = 'operator' | 'read-only' | 'member';

/** A person or program that operates the gateway. */
export interface Operator {
  readonly name: string;
  readonly door: OperatorDoorName;
  readonly role: OperatorRole;
  /** The only stack that it sees; absent: all of them. */
  readonly stackId?: string;
  /** Where it works from: an address, or the name of the machine for commands. */
  readonly address?: string;
  /** The API key that was pasted into the console; absent: a person or a program. */
  readonly pastedKey?: PastedKey;
}

/** An API key that was exchanged for a look at its stack. */
export interface PastedKey {
  readonly id: string;
  /** Whether the key may list, or also change, the stack's documents. */
  readonly knowledge: 'read' | 'write' | undefined;
}
