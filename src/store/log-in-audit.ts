import type { Operator } from '../access/operator.ts';
import type { LogInNote } from '../people/log-in-note.ts';
import { recordAudit } from './audit-trail.ts';
import type { Connection } from './query.ts';

/** Adds a note of a log-in to the audit, in the transaction of the change. */
export async function recordLogIn(
  connection: Connection,
  { actor, action, address, standing, door }: LogInNote,
): Promise<void> {
  const operator: Operator = {
    name: action === 'log-in-refused' ? '(not logged in)' : actor,
    door: 'console',
    role: standing?.role ?? 'member',
    address,
  };
  await recordAudit(connection, operator, {
    action: `console.${action}`,
    target: actor || '-',
    ...(standing?.stackId !== undefined && { stackId: standing.stackId }),
    ...(standing !== undefined && { after: { role: standing.role, ...(door !== undefined && { door }) } }),
  });
}
