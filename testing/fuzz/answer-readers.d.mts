import type { ResponseParser } from '../../src/upstream/response-parser.ts';

/** A parsed answer. */
export interface ReadAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly keepsAlive: boolean;
}

/** How Node's client reads an answer in these pieces, after which the server closes; `undefined` if it rejects it. */
export function readByNode(pieces: readonly Buffer[]): Promise<ReadAnswer | undefined>;

/** The same with the gateway's parser. */
export function readByOwn(parser: typeof ResponseParser, pieces: readonly Buffer[]): ReadAnswer | undefined;

/** A difference that is a bug. */
export const UNEXPLAINED: 'unexplained';

/** The deliberate difference between two readings; `undefined` if they agree, `unexplained` if it is a bug. */
export function differenceOf(
  bytes: Buffer,
  readings: { readonly byNode: ReadAnswer | undefined; readonly byOwn: ReadAnswer | undefined },
): string | undefined;
