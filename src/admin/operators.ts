import type pg from 'pg';
import { generateOperatorSecret, hashSecret } from '../access/key-secret.ts';
import { recordAudit } from '../store/audit-trail.ts';
import { type OperatorToken, OperatorTokens } from '../store/operator-tokens.ts';
import { changeRecords } from '../store/records.ts';
import { OperatorError } from './operator-error.ts';
import type { OperatorWork } from './operator-storage.ts';

export interface NewOperator {
  readonly name: string;
  readonly readOnly: boolean;
  /** The only stack that it sees; absent: all of them. */
  readonly stackId?: string | undefined;
}

/** A token with its secret, which is shown only once. */
export interface TokenWithSecret {
  readonly token: OperatorToken;
  readonly secret: string;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

export function listOperators(pool: pg.Pool): Promise<readonly OperatorToken[]> {
  return new OperatorTokens(pool).list();
}

/** Makes an operator token. */
export function createOperator(
  { pool, operator }: OperatorWork,
  { name, readOnly, stackId }: NewOperator,
): Promise<TokenWithSecret> {
  if (!NAME.test(name)) {
    throw new OperatorError(
      `the name of an operator is lower-case letters, digits and "-", at most 63 of them; got "${name}"`,
    );
  }
  return changeRecords(pool, async ({ stacks, connection }) => {
    const tokens = new OperatorTokens(connection);
    if ((await tokens.find(name)) !== undefined)
      throw new OperatorError(`there is an operator "${name}" already; choose another name`);
    if (stackId !== undefined && (await stacks.find(stackId)) === undefined)
      throw new OperatorError(`there is no stack "${stackId}"; "stackgate stacks list" shows them`);
    const secret = generateOperatorSecret();
    const token = await tokens.insert({ name, readOnly, stackId: stackId ?? null }, hashSecret(secret));
    await recordAudit(connection, operator, {
      action: 'operator.create',
      target: name,
      after: { read_only: readOnly, stack: token.stackId },
    });
    return { token, secret };
  });
}

/** Revokes an operator token permanently. */
export function revokeOperator({ pool, operator }: OperatorWork, name: string): Promise<OperatorToken> {
  return changeRecords(pool, async ({ connection }) => {
    const tokens = new OperatorTokens(connection);
    await existing(tokens, name);
    await tokens.revoke(name);
    await recordAudit(connection, operator, { action: 'operator.revoke', target: name });
    return existing(tokens, name);
  });
}

async function existing(tokens: OperatorTokens, name: string): Promise<OperatorToken> {
  const token = await tokens.find(name);
  if (token !== undefined) return token;
  throw new OperatorError(`there is no operator "${name}"; "stackgate operators list" shows them`);
}
