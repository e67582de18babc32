import type { UpstreamLimits } from '../../../upstream/upstream-limits.ts';

const MEBIBYTE = 1024 * 1024;

/** Limit for one answer: a body in one piece, or blocks that wait for others. */
export const MAXIMUM_KEPT_BYTES = 4 * MEBIBYTE;

/** Limits and time-outs of one engine; tests lower them. */
export interface OpenAiLimits extends UpstreamLimits {
  /** Concurrent answers at one server; one stack gets only a part of them. */
  readonly connectionsPerServer: number;
  /** Requests that wait for a connection; beyond it the engine is overloaded. */
  readonly waitingPerServer: number;
  /** The same for one stack. */
  readonly waitingPerStack: number;
  /** Concurrent token counts per server, on separate connections: a count never waits behind an answer that waits for it. */
  readonly countsPerServer: number;
  /** Waiting counts of one engine, in total and per stack. */
  readonly countsWaiting: number;
  readonly countsWaitingPerStack: number;
  /** How long the end of a response may take after the answer is complete. */
  readonly lingerMs: number;
  readonly sweepMs: number;
  readonly checkEveryMs: number;
  readonly checkTimeoutMs: number;
  readonly countTimeoutMs: number;
  /** For a probe that finds out how a server accepts schemas. */
  readonly probeTimeoutMs: number;
  /** Characters of events that may wait for the reader; beyond it the socket is paused. */
  readonly bufferedCharacters: number;
}

/** The defaults. */
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
