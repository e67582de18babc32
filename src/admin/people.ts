import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { isConsoleOn } from '../config/is-console-on.ts';
import { wallClock } from '../lib/wall-clock.ts';
import { type Person, personName, type Standing } from '../people/person.ts';
import { makeSetupLink } from '../people/setup-links.ts';
import { recordAudit } from '../store/audit-trail.ts';
import { changeRecords } from '../store/records.ts';
import { PeopleRecords, SqlPeople } from '../store/sql-people.ts';
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
  const invited = { name: requireName(given), role, stackId };
  requireRoleOfStack(invited);
  return await changeRecords(pool, async ({ stacks, connection }) => {
    const people = new PeopleRecords(connection);
    if (stackId !== undefined && (await stacks.find(stackId)) === undefined)
      throw new OperatorError(`there is no stack "${stackId}"; "stackgate stacks list" shows them`);
    if ((await people.find(invited.name)) !== undefined)
      throw new OperatorError(
        `there is a person "${invited.name}" already; "stackgate console reset" lets them in again`,
      );
    const token = await makeSetupLink(people, invited, wallClock);
    await recordAudit(connection, operator, { action: 'person.invite', ...audited(invited) });
    return { ...invited, token };
  });
}

/** Makes a link by which a person sets a new password; until it is used, the old one stays. */
export function resetPerson({ pool, operator }: OperatorWork, given: string): Promise<InvitedPerson> {
  return changeRecords(pool, async ({ connection }) => {
    const people = new PeopleRecords(connection);
    const { name, role, stackId, passwordHash } = await existing(people, given);
    if (passwordHash === undefined)
      throw new OperatorError(`"${name}" logs in by OpenID Connect and has no password here`);
    const person = { name, role, stackId };
    const token = await makeSetupLink(people, person, wallClock);
    await recordAudit(connection, operator, { action: 'person.reset', ...audited(person) });
    return { ...person, token };
  });
}

/** A person who was removed; of one who was only invited, there is less to tell. */
export type RemovedPerson = Pick<Person, 'name' | 'role' | 'stackId'> & Partial<Person>;

/** Removes a person, whose sessions are over, or withdraws the invitation of one. */
export function removePerson({ pool, operator }: OperatorWork, given: string): Promise<RemovedPerson> {
  return changeRecords(pool, async ({ connection }) => {
    const people = new PeopleRecords(connection);
    const name = given.toLowerCase();
    const person = (await people.find(name)) ?? (await people.findInvitation(name));
    if (person === undefined) throw unknownPerson(given);
    await people.remove(name);
    await recordAudit(connection, operator, { action: 'person.remove', ...audited(person) });
    return person;
  });
}

/** The token of a link for a first operator, while there is no person who could log in. */
export async function firstOperatorToken(pool: pg.Pool, config: Config): Promise<string | undefined> {
  if (!isConsoleOn(config) || config.console.oidc !== undefined) return undefined;
  const people = new SqlPeople(pool);
  if (await people.hasAny()) return undefined;
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

function requireRoleOfStack({ role, stackId }: Standing): void {
  if ((role === 'member') !== (stackId !== undefined))
    throw new OperatorError('a member needs --stack, and only a member has one');
}

async function existing(people: PeopleRecords, given: string): Promise<Person> {
  const person = await people.find(given.toLowerCase());
  if (person !== undefined) return person;
  throw unknownPerson(given);
}

function unknownPerson(given: string): OperatorError {
  return new OperatorError(`there is no person "${given}"; "stackgate console list" shows them`);
}
