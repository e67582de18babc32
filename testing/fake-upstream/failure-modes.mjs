/** A unique text, so that tests can show that it never reaches a client. */
export const UPSTREAM_DETAIL = 'upstream-detail-that-no-client-may-see';

/** Failures: none of them can end in a complete, well-formed reply. */
export const BREAKAGES = [
  'reset-before-headers',
  'reset-mid-stream',
  'stall-before-headers',
  'stall-mid-stream',
  'status',
  'garbage-json',
  'garbage-sse',
  'truncated-body',
  'no-finish-reason',
  'error-event',
];

/** Odd or slow but complete answers of real servers. */
export const QUIRKS = [
  'slow-headers',
  'missing-done',
  'null-fragments',
  'usage-in-every-chunk',
  'usage-at-the-end',
  'no-role-chunk',
  'finish-merged-with-text',
  'huge-event',
  'invalid-utf8',
];

const TRANSPORT_BREAKAGES = new Set(['reset-before-headers', 'reset-mid-stream', 'truncated-body']);

/** The failure of a plan with its settings; the short form is the bare mode. */
export function failureOf({ fail }) {
  if (fail === undefined) return undefined;
  const failure = typeof fail === 'string' ? { mode: fail } : fail;
  if (!BREAKAGES.includes(failure.mode) && !QUIRKS.includes(failure.mode)) {
    throw new RangeError(`no such failure mode: ${failure.mode}`);
  }
  return { status: 500, ...failure, breaksTransport: TRANSPORT_BREAKAGES.has(failure.mode) };
}
