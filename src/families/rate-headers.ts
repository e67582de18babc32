/** How much of a rate is left, and when all of it is there again. */
export interface RateStanding {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsInMs: number;
}

/** The rates that hold for a caller; what is absent has no ceiling. */
export interface RateStandings {
  readonly requests?: RateStanding;
  readonly tokens?: RateStanding;
}

type Headers = Readonly<Record<string, string>>;

/** The way of chat completions: `x-ratelimit-remaining-requests: 59`, `x-ratelimit-reset-requests: 1m0s`. */
export function countdownRateHeaders(rates: RateStandings): Headers {
  return headersOf(rates, (what, { limit, remaining, resetsInMs }) => [
    [`x-ratelimit-limit-${what}`, String(limit)],
    [`x-ratelimit-remaining-${what}`, String(remaining)],
    [`x-ratelimit-reset-${what}`, duration(resetsInMs)],
  ]);
}

/** The way of messages: `anthropic-ratelimit-requests-reset: 2026-11-16T12:00:00Z`. */
export function momentRateHeaders(rates: RateStandings): Headers {
  const nowMs = Date.now();
  return headersOf(rates, (what, { limit, remaining, resetsInMs }) => [
    [`anthropic-ratelimit-${what}-limit`, String(limit)],
    [`anthropic-ratelimit-${what}-remaining`, String(remaining)],
    [`anthropic-ratelimit-${what}-reset`, moment(nowMs + resetsInMs)],
  ]);
}

/** Every header of either way. */
export function rateHeaderNames(): readonly string[] {
  const standing = { limit: 0, remaining: 0, resetsInMs: 0 };
  const rates = { requests: standing, tokens: standing };
  return [countdownRateHeaders(rates), momentRateHeaders(rates)].flatMap((headers) => Object.keys(headers));
}

function headersOf(
  rates: RateStandings,
  render: (what: string, standing: RateStanding) => readonly (readonly [string, string])[],
): Headers {
  return Object.fromEntries(
    (['requests', 'tokens'] as const).flatMap((what) => {
      const standing = rates[what];
      return standing === undefined ? [] : render(what, standing);
    }),
  );
}

/** As clients of chat completions read it: `6m0s`, `1h2m3s`. */
function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const parts = [hours > 0 ? `${hours}h` : '', seconds >= 60 ? `${minutes}m` : '', `${seconds % 60}s`];
  return parts.join('');
}

function moment(ms: number): string {
  return `${new Date(Math.ceil(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}
