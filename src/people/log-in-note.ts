import type { Standing } from './person.ts';

/** A log-in, a log-out or a change of a password, for the audit. */
export interface LogInNote {
  readonly actor: string;
  readonly action: 'log-in' | 'log-in-refused' | 'log-out' | 'set-up' | 'change-password';
  readonly address: string;
  readonly standing?: Standing;
  /** How the session was opened. */
  readonly door?: 'password' | 'oidc' | 'key';
}
