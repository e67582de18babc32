import { createHash } from 'node:crypto';

/** The message types of the PostgreSQL protocol used here, by sender. */
export const fromClient = {
  bind: 0x42,
  close: 0x43,
  copyDone: 0x63,
  copyData: 0x64,
  copyFail: 0x66,
  describe: 0x44,
  execute: 0x45,
  functionCall: 0x46,
  flush: 0x48,
  parse: 0x50,
  query: 0x51,
  sync: 0x53,
  terminate: 0x58,
} as const;

export const fromServer = {
  parseComplete: 0x31,
  closeComplete: 0x33,
  commandComplete: 0x43,
  dataRow: 0x44,
  error: 0x45,
  ready: 0x5a,
} as const;

/** PostgreSQL truncates longer names, so two long names could collide. */
const MAX_NAME_BYTES = 63;
const HEADER_BYTES = 5;
const STATEMENT_KIND = 0x53;

/** Thrown for bytes that violate the PostgreSQL protocol. */
export class WireProtocolError extends Error {}

/** The type byte of a message. */
export function typeOf(message: Buffer): number {
  return message.readUInt8(0);
}

/** Encodes a message from its type and body. */
export function encodeMessage(type: number, ...body: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(body);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(type, 0);
  header.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([header, content]);
}

/** A zero-terminated string. */
export function encodeText(text: string): Buffer {
  return Buffer.from(`${text}\0`);
}

/** Encodes a simple query. */
export function encodeQuery(sql: string): Buffer {
  return encodeMessage(fromClient.query, encodeText(sql));
}

/** Ends a series of extended-protocol messages. */
export const SYNC: Buffer = encodeMessage(fromClient.sync);

/** The fields of an ErrorResponse. */
export interface ServerError {
  readonly severity: 'ERROR' | 'FATAL';
  readonly sqlState: string;
  readonly message: string;
}

/** Encodes an ErrorResponse. */
export function encodeError({ severity, sqlState, message }: ServerError): Buffer {
  const fields = [`S${severity}`, `V${severity}`, `C${sqlState}`, `M${message}`];
  return encodeMessage(fromServer.error, ...fields.map(encodeText), Buffer.from([0]));
}

/** The SQL of a Query or Parse message; empty for others. */
export function sqlOf(message: Buffer): string {
  const type = typeOf(message);
  if (type === fromClient.query) return readText(message, HEADER_BYTES).text;
  if (type === fromClient.parse) return readText(message, readText(message, HEADER_BYTES).end).text;
  return '';
}

/** The tag of a CommandComplete message, such as `INSERT 0 1`. */
export function commandTag(message: Buffer): string {
  return readText(message, HEADER_BYTES).text;
}

/** The prepared statement that a message names: empty for the unnamed one, undefined if it names none. */
export function statementOf(message: Buffer): string | undefined {
  switch (typeOf(message)) {
    case fromClient.parse:
      return readText(message, HEADER_BYTES).text;
    case fromClient.bind:
      return readText(message, readText(message, HEADER_BYTES).end).text;
    case fromClient.describe:
    case fromClient.close:
      if (message.readUInt8(HEADER_BYTES) !== STATEMENT_KIND) return undefined;
      return readText(message, HEADER_BYTES + 1).text;
    default:
      return undefined;
  }
}

/** Prefixes the statement and portal names in a message; unnamed ones stay unnamed. */
export function prefixNames(message: Buffer, prefix: string): Buffer {
  switch (typeOf(message)) {
    case fromClient.parse:
    case fromClient.execute:
      return replaceNames(message, { start: HEADER_BYTES, count: 1, prefix });
    case fromClient.bind:
      return replaceNames(message, { start: HEADER_BYTES, count: 2, prefix });
    case fromClient.describe:
    case fromClient.close:
      return replaceNames(message, { start: HEADER_BYTES + 1, count: 1, prefix });
    default:
      return message;
  }
}

interface NamePositions {
  readonly start: number;
  readonly count: number;
  readonly prefix: string;
}

function replaceNames(message: Buffer, { start, count, prefix }: NamePositions): Buffer {
  const parts: Buffer[] = [message.subarray(HEADER_BYTES, start)];
  let position = start;
  for (let index = 0; index < count; index++) {
    const { text, end } = readText(message, position);
    parts.push(encodeText(prefixName(text, prefix)));
    position = end;
  }
  return encodeMessage(typeOf(message), ...parts, message.subarray(position));
}

function prefixName(name: string, prefix: string): string {
  if (name === '') return '';
  const prefixed = prefix + name;
  if (Buffer.byteLength(prefixed) <= MAX_NAME_BYTES) return prefixed;
  return prefix + createHash('sha256').update(name).digest('hex').slice(0, 40);
}

function readText(message: Buffer, start: number): { readonly text: string; readonly end: number } {
  const terminator = message.indexOf(0, start);
  if (terminator === -1) throw new WireProtocolError('a name or text in a message has no end');
  return { text: message.toString('utf8', start, terminator), end: terminator + 1 };
}
