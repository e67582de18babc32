import { encodeQuery, fromClient, prefixNames, sqlOf, statementOf, typeOf } from './wire-messages.ts';

/** What a client did to its prepared statements in one unit, in order; it counts once the server confirms it. */
export type StatementChange =
  | { readonly type: 'parse'; readonly name: string; readonly message: Buffer }
  | { readonly type: 'close'; readonly name: string };

/** Messages that are executed together: up to a simple query, a Sync or a Flush. */
export interface Unit {
  readonly bytes: Buffer;
  readonly changes: readonly StatementChange[];
  /** It uses an unnamed statement that an earlier unit prepared. */
  readonly needsUnnamed: boolean;
  /** The client said goodbye; nothing is executed. */
  readonly isEnd: boolean;
}

// PGlite would wait inside PostgreSQL for data that can only come after its answer, and lose the session.
const COPY_FROM_CLIENT = /^\s*copy\b[\s\S]*\bfrom\s+stdin\b/i;
const REFUSE_COPY = encodeQuery(
  `DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '0A000',
   MESSAGE = 'COPY FROM STDIN is not supported by the embedded database; use INSERT'; END $$`,
);
/** A client's goodbye. */
export const END_UNIT: Unit = { bytes: Buffer.alloc(0), changes: [], needsUnnamed: false, isEnd: true };

const KNOWN_TYPES: ReadonlySet<number> = new Set(Object.values(fromClient));

/** Whether PostgreSQL knows this kind of message; it ends itself at any other. */
export function isKnownType(message: Buffer): boolean {
  return KNOWN_TYPES.has(typeOf(message));
}

/** Whether a message lets the server answer, so that everything up to it is executed. */
export function endsUnit(message: Buffer): boolean {
  const type = typeOf(message);
  return (
    type === fromClient.query ||
    type === fromClient.sync ||
    type === fromClient.flush ||
    type === fromClient.functionCall
  );
}

/** Puts the messages of one client together, with names of its own. */
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
