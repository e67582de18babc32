import type { UpstreamLimits } from '../../../upstream/upstream-limits.ts';

const MEBIBYTE = 1024 * 1024;

/** What is kept of one answer at most: a body in one piece, or blocks that wait for others. */
export const MAXIMUM_KEPT_BYTES = 4 * MEBIBYTE;

/** How much one engine holds at most, and how long it waits; tests lower them. */
export interface OpenAiLimits extends UpstreamLimits {
  /** Answers under way at one server; one stack has at most its share of them. */
  readonly connectionsPerServer: number;
  /** Requests that wait for one of those connections; over it the engine is overloaded. */
  readonly waitingPerServer: number;
  /** Of those, how many of one stack wait. */
  readonly waitingPerStack: number;
  /** Token counts under way for each server, on connections of their own: they never wait behind answers that wait for them. */
  readonly countsPerServer: number;
  /** Counts of one engine that wait for their turn, in all and of one stack. */
  readonly countsWaiting: number;
  readonly countsWaitingPerStack: number;
  /** How long the end of a response may take after all that is wanted of it has come. */
  readonly lingerMs: number;
  readonly sweepMs: number;
  readonly checkEveryMs: number;
  readonly checkTimeoutMs: number;
  readonly countTimeoutMs: number;
  /** For a question that finds out how a server takes schemas. */
  readonly probeTimeoutMs: number;
  /** Events read but not taken, as characters; the socket pauses above it. */
  readonly bufferedCharacters: number;
}

/** The bounds in use unless a test says otherwise. */
export const openAiLimits: OpenAiLimits = {
  connectionsPerServer: 512,
  waitingPerServer: 512,
  waitingPerStack: 256,
  countsPerServer: 32,
  countsWaiting: 1_024,
  countsWaitingPerStack: 256,
  connectMs: 5_000,
  silenceMs: 60_000,
  idleConnectionMs: 4_000,
  lingerMs: 1_000,
  sweepMs: 250,
  checkEveryMs: 10_000,
  checkTimeoutMs: 5_000,
  countTimeoutMs: 60_000,
  probeTimeoutMs: 20_000,
  bufferedCharacters: MEBIBYTE,
};
