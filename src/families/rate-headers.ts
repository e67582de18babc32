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
export function countdownRateHeaders({ requests, tokens }: RateStandings): Headers {
  return {
    ...(requests && {
      'x-ratelimit-limit-requests': String(requests.limit),
      'x-ratelimit-remaining-requests': String(requests.remaining),
      'x-ratelimit-reset-requests': duration(requests.resetsInMs),
    }),
    ...(tokens && {
      'x-ratelimit-limit-tokens': String(tokens.limit),
      'x-ratelimit-remaining-tokens': String(tokens.remaining),
      'x-ratelimit-reset-tokens': duration(tokens.resetsInMs),
    }),
  };
}

/** The way of messages: `anthropic-ratelimit-requests-reset: 2026-11-16T12:00:00Z`. */
export function momentRateHeaders({ requests, tokens }: RateStandings): Headers {
  return {
    ...(requests && {
      'anthropic-ratelimit-requests-limit': String(requests.limit),
      'anthropic-ratelimit-requests-remaining': String(requests.remaining),
      'anthropic-ratelimit-requests-reset': moment(Date.now() + requests.resetsInMs),
    }),
    ...(tokens && {
      'anthropic-ratelimit-tokens-limit': String(tokens.limit),
      'anthropic-ratelimit-tokens-remaining': String(tokens.remaining),
      'anthropic-ratelimit-tokens-reset': moment(Date.now() + tokens.resetsInMs),
    }),
  };
}

/** Every header of either way. */
export function rateHeaderNames(): readonly string[] {
  const standing = { limit: 0, remaining: 0, resetsInMs: 0 };
  const rates = { requests: standing, tokens: standing };
  return [countdownRateHeaders(rates), momentRateHeaders(rates)].flatMap((headers) => Object.keys(headers));
}

/** As clients of chat completions read it: `6m0s`, `1h2m3s`. */
function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}h` : ''}${seconds >= 60 ? `${minutes}m` : ''}${seconds % 60}s`;
}

function moment(ms: number): string {
  return `${new Date(Math.ceil(ms / 1000) * 1000).toISOString().slice(0, 19)}Z`;
}
