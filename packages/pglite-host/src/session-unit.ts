import { encodeQuery, fromClient, prefixNames, sqlOf, statementOf, typeOf } from './wire-messages.ts';

/** A change to a client's prepared statements; applied once the server confirms it. */
export type StatementChange =
  | { readonly type: 'parse'; readonly name: string; readonly message: Buffer }
  | { readonly type: 'close'; readonly name: string };

/** Messages that are executed together: up to a simple query, Sync or Flush. */
export interface Unit {
  readonly bytes: Buffer;
  readonly changes: readonly StatementChange[];
  /** Whether it uses an unnamed statement prepared by an earlier unit. */
  readonly needsUnnamed: boolean;
  /** Whether the client terminates; then nothing is executed. */
  readonly isEnd: boolean;
}

// PGlite would wait for data that the client sends only after an answer, and the session would be lost.
const COPY_FROM_CLIENT = /^\s*copy\b[\s\S]*\bfrom\s+stdin\b/i;
const REFUSE_COPY = encodeQuery(
  `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '0A000',
   MESSAGE = 'COPY FROM STDIN is not supported by the embedded database; use INSERT'; END $$`,
);
/** The unit of a client that terminates. */
export const END_UNIT: Unit = { bytes: Buffer.alloc(0), changes: [], needsUnnamed: false, isEnd: true };

const KNOWN_TYPES: ReadonlySet<number> = new Set(Object.values(fromClient));

/** Whether PostgreSQL knows this message type; it exits on any other. */
export function isKnownType(message: Buffer): boolean {
  return KNOWN_TYPES.has(typeOf(message));
}

/** Whether the server answers after this message, so that it completes a unit. */
export function endsUnit(message: Buffer): boolean {
  const type = typeOf(message);
  return (
    type === fromClient.query ||
    type === fromClient.sync ||
    type === fromClient.flush ||
    type === fromClient.functionCall
  );
}

/** Joins the messages of one client and prefixes its statement and portal names. */
export function makeUnit(messages: readonly Buffer[], prefix: string): Unit {
  const changes: StatementChange[] = [];
  let needsUnnamed = false;
  let hasUnnamed = false;
  const renamed = messages.map((original) => {
    const message = prefixNames(original, prefix);
    const name = statementOf(message);
    const type = typeOf(message);
    if (name === undefined) return message;
    if (type === fromClient.parse) changes.push({ type: 'parse', name, message });
    if (type === fromClient.close) changes.push({ type: 'close', name });
    if (name === '' && type === fromClient.parse) hasUnnamed = true;
    else if (name === '' && !hasUnnamed) needsUnnamed = true;
    return message;
  });
  if (messages.some((message) => COPY_FROM_CLIENT.test(sqlOf(message)))) {
    return { bytes: REFUSE_COPY, changes: [], needsUnnamed: false, isEnd: false };
  }
  return { bytes: Buffer.concat(renamed), changes, needsUnnamed, isEnd: false };
}
