import type { ResponseParser } from '../../src/upstream/response-parser.ts';

/** An answer as a parser read it. */
export interface ReadAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly keepsAlive: boolean;
}

/** What Node's own client makes of an answer that comes in these pieces, after which the server closes; `undefined` where it accepts none. */
export function readByNode(pieces: readonly Buffer[]): Promise<ReadAnswer | undefined>;

/** The same by the gateway's own parser. */
export function readByOwn(parser: typeof ResponseParser, pieces: readonly Buffer[]): ReadAnswer | undefined;

/** The name of a difference that must not be. */
export const UNEXPLAINED: 'unexplained';

/** How two readings of an answer differ on purpose; `undefined` where they are the same, and `unexplained` where nothing explains it. */
export function differenceOf(
  bytes: Buffer,
  readings: { readonly byNode: ReadAnswer | undefined; readonly byOwn: ReadAnswer | undefined },
): string | undefined;
