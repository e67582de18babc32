import { MessageFramer } from './message-framer.ts';
import type { SessionBackend } from './session-backend.ts';
import { encodeQuery, fromServer, typeOf } from './wire-messages.ts';

const FIRST_VALUE_LENGTH_AT = 7;
const FIRST_VALUE_AT = 11;

/** Runs one statement on the session and returns the first value of its answer; throws SQL errors. */
export async function runStatement(
  backend: SessionBackend,
  { sql, timeoutMs }: { readonly sql: string; readonly timeoutMs: number },
): Promise<string | undefined> {
  const framer = new MessageFramer('messages');
  let value: string | undefined;
  let failure: string | undefined;
  const onData = (chunk: Buffer): void => {
    for (const { bytes } of framer.push(chunk)) {
      if (typeOf(bytes) === fromServer.error) failure = bytes.toString('utf8').replaceAll('\0', ' ');
      if (typeOf(bytes) === fromServer.dataRow) value ??= firstValue(bytes);
    }
  };
  await backend.execute(encodeQuery(sql), { onData, timeoutMs });
  if (failure !== undefined) throw new Error(`${sql} failed: ${failure}`);
  return value;
}

function firstValue(row: Buffer): string | undefined {
  const length = row.readInt32BE(FIRST_VALUE_LENGTH_AT);
  return length < 0 ? undefined : row.toString('utf8', FIRST_VALUE_AT, FIRST_VALUE_AT + length);
}
