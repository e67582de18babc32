import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { isConsoleOn } from '../config/is-console-on.ts';
import { wallClock } from '../lib/wall-clock.ts';
import { type Person, personName, type Standing } from '../people/person.ts';
import { makeSetupLink } from '../people/setup-links.ts';
import { recordAudit } from '../store/audit-trail.ts';
import { readRecords } from '../store/records.ts';
import { SqlPeople } from '../store/sql-people.ts';
import { OperatorError } from './operator-error.ts';
import type { OperatorWork } from './operator-storage.ts';

/** A person and the token of the link by which a password is set. It is shown once. */
export interface InvitedPerson extends Standing {
  readonly name: string;
  readonly token: string;
}

/** Everyone who has set a password, or logged in by OpenID Connect. */
export function listPeople(pool: pg.Pool): Promise<readonly Person[]> {
  return new SqlPeople(pool).list();
}

/** Makes a link for a new person. */
export async function invitePerson(
  { pool, operator }: OperatorWork,
  { name: given, role, stackId }: Standing & { readonly name: string },
): Promise<InvitedPerson> {
  const people = new SqlPeople(pool);
  const name = requireName(given);
  await requireStanding(pool, { role, stackId });
  if ((await people.find(name)) !== undefined)
    throw new OperatorError(
      `there is a person "${name}" already; "stackgate console reset" lets them in again`,
    );
  await recordAudit(pool, operator, { action: 'person.invite', ...audited({ name, role, stackId }) });
  const token = await makeSetupLink(people, { name, role, stackId }, wallClock);
  return { name, role, stackId, token };
}

/** Makes a link by which a person sets a new password; until it is used, the old one stays. */
export async function resetPerson({ pool, operator }: OperatorWork, given: string): Promise<InvitedPerson> {
  const people = new SqlPeople(pool);
  const person = await people.find(given.toLowerCase());
  if (person === undefined) throw unknownPerson(given);
  if (person.passwordHash === undefined)
    throw new OperatorError(`"${person.name}" logs in by OpenID Connect and has no password here`);
  const { name, role, stackId } = person;
  await recordAudit(pool, operator, { action: 'person.reset', ...audited(person) });
  const token = await makeSetupLink(people, { name, role, stackId }, wallClock);
  return { name, role, stackId, token };
}

/** Removes a person; all of their sessions are over. */
export async function removePerson({ pool, operator }: OperatorWork, given: string): Promise<Person> {
  const people = new SqlPeople(pool);
  const person = await people.find(given.toLowerCase());
  if (person === undefined) throw unknownPerson(given);
  await recordAudit(pool, operator, { action: 'person.remove', ...audited(person) });
  await people.remove(person.name);
  return person;
}

/** The token of a link for a first operator, while there is no person who could log in. */
export async function firstOperatorToken(pool: pg.Pool, config: Config): Promise<string | undefined> {
  if (!isConsoleOn(config) || config.console.oidc !== undefined) return undefined;
  const people = new SqlPeople(pool);
  if ((await people.list()).length > 0) return undefined;
  return await makeSetupLink(people, { name: undefined, role: 'operator', stackId: undefined }, wallClock);
}

function audited({ name, role, stackId }: Standing & { readonly name: string }) {
  return { target: name, ...(stackId !== undefined && { stackId }), after: { role } };
}

function requireName(given: string): string {
  const name = personName(given);
  if (name !== undefined) return name;
  throw new OperatorError(
    `a name is 1 to 100 letters, digits or any of @._+-, and begins with a letter or digit; got "${given}"`,
  );
}

async function requireStanding(pool: pg.Pool, { role, stackId }: Standing): Promise<void> {
  if ((role === 'member') !== (stackId !== undefined))
    throw new OperatorError('a member needs --stack, and only a member has one');
  if (stackId === undefined) return;
  if ((await readRecords(pool).stacks.find(stackId)) === undefined)
    throw new OperatorError(`there is no stack "${stackId}"; "stackgate stacks list" shows them`);
}

function unknownPerson(name: string): OperatorError {
  return new OperatorError(`there is no person "${name}"; "stackgate console list" shows them`);
}
