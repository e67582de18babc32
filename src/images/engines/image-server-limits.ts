import type { UpstreamLimits } from '../../upstream/upstream-limits.ts';

const MEBIBYTE = 1024 * 1024;

/** Limits and timeouts for one image server; lowered in tests. */
export interface ImageServerLimits extends UpstreamLimits {
  readonly connections: number;
  /** Orders waiting for a connection. */
  readonly waiting: number;
  readonly checkEveryMs: number;
  /** Delay before a check is repeated after a failure. */
  readonly recheckMs: number;
  readonly checkTimeoutMs: number;
  readonly sweepMs: number;
  /** An incompressible 16-bit RGBA picture fits, in base64. */
  readonly answerBytes: number;
}

export const imageServerLimits: ImageServerLimits = {
  connections: 32,
  waiting: 64,
  connectMs: 5_000,
  silenceMs: 60_000,
  idleConnectionMs: 4_000,
  checkEveryMs: 10_000,
  recheckMs: 1_000,
  checkTimeoutMs: 5_000,
  sweepMs: 250,
  answerBytes: 32 * MEBIBYTE,
};
