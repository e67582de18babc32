const MEBIBYTE = 1024 * 1024;

/** Limit for one answer: a body in one piece, or blocks that wait for others. */
export const MAXIMUM_KEPT_BYTES = 4 * MEBIBYTE;

export type OpenAiLimits = Readonly<typeof openAiLimits>;

/** Limits and time-outs of one engine; tests lower them. */
export const openAiLimits = {
  /** Concurrent answers at one server; one stack gets only a part of them. */
  connectionsPerServer: 512,
  /** Requests that wait for a connection; beyond it the engine is overloaded. */
  waitingPerServer: 512,
  /** The same for one stack. */
  waitingPerStack: 256,
  /** Concurrent token counts per server, on separate connections: a count never waits behind an answer that waits for it. */
  countsPerServer: 32,
  /** Waiting counts of one engine, in total and per stack. */
  countsWaiting: 1_024,
  countsWaitingPerStack: 256,
  connectMs: 5_000,
  silenceMs: 60_000,
  idleConnectionMs: 4_000,
  /** How long the end of a response may take after the answer is complete. */
  lingerMs: 1_000,
  sweepMs: 250,
  checkEveryMs: 10_000,
  checkTimeoutMs: 5_000,
  countTimeoutMs: 60_000,
  /** For a probe that finds out how a server accepts schemas. */
  probeTimeoutMs: 20_000,
  /** Characters of events that may wait for the reader; beyond it the socket is paused. */
  bufferedCharacters: MEBIBYTE,
};
