import type { UpstreamLimits } from '../../upstream/upstream-limits.ts';

const MEBIBYTE = 1024 * 1024;

/** How much one image server is asked at most, and how long it is waited for; tests lower them. */
export interface ImageServerLimits extends UpstreamLimits {
  readonly connections: number;
  /** Orders that wait for one of those connections. */
  readonly waiting: number;
  readonly checkEveryMs: number;
  /** How soon a check is repeated after something failed. */
  readonly recheckMs: number;
  readonly checkTimeoutMs: number;
  readonly sweepMs: number;
  /** Of an answer: a picture of 16-bit RGBA that nothing could compress fits in base64. */
  readonly answerBytes: number;
}

/** The bounds in use unless a test says otherwise. */
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
