import type { z } from 'zod';
import { renderPath } from '../../config/config-problem.ts';
import { describeIssue } from '../../config/describe-issue.ts';
import { Fault } from '../../faults/fault.ts';
import { isRecord } from '../../lib/json-record.ts';

/** Reads a body by its schema, whose messages are those of the configuration file. */
export function readAdminBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  if (hasNul(body)) throw new Fault('invalid-request', 'Texts must not have the character NUL in them.');
  const parsed = schema.safeParse(body, { reportInput: true });
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues.flatMap((issue) => describeIssue(issue, () => false));
  const field = renderPath(first?.path ?? []);
  const message = `${field === '' ? '' : `\`${field}\`: `}${first?.message ?? 'The body is not valid.'}`;
  throw new Fault('invalid-request', message, field === '' ? {} : { param: field });
}

/** Reads the changes of a body: members that it does not have stay absent, also where the file has a default for them. */
export function readChanges<Body extends object>(schema: z.ZodType<Body>, body: unknown): Partial<Body> {
  const read = readAdminBody(schema, body);
  const sent = Object.entries(read).filter(([name]) => isRecord(body) && Object.hasOwn(body, name));
  return Object.fromEntries(sent) as Partial<Body>;
}

/** PostgreSQL stores no NUL. */
function hasNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.values(value).some(hasNul);
}
