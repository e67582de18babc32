import type { OperatorRole } from '../access/operator.ts';

/** The role of a person; a member has it in one stack. */
export interface Standing {
  readonly role: OperatorRole;
  readonly stackId: string | undefined;
}

/** A person who logs in to the console. */
export interface Person extends Standing {
  readonly name: string;
  /** Absent: logs in by OpenID Connect. */
  readonly passwordHash: string | undefined;
  readonly createdAt: Date;
  readonly lastLogInAt: Date | undefined;
}

/** A link by which a person sets a password, once. */
export interface SetupLink extends Standing {
  readonly tokenHash: string;
  /** Absent: the first operator, who chooses a name. */
  readonly name: string | undefined;
  readonly expiresAt: Date;
}

/** Begins the names of people of OpenID Connect, so that none of them is taken for a person with a password. */
export const OIDC_PREFIX = 'oidc:';

const NAME = /^[a-z0-9][a-z0-9@._+-]{0,99}$/;

/** The name as it is stored; `undefined` if it cannot be one. */
export function personName(text: string): string | undefined {
  const name = text.trim().toLowerCase();
  return NAME.test(name) ? name : undefined;
}
