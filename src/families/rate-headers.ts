/** How much of a rate is left, and when all of it is there again. */
export interface RateStanding {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsInMs: number;
}

/** The rates that hold for a caller; what is absent has no ceiling. */
export interface RateStandings {
  readonly requests?: RateStanding | undefined;
  readonly tokens?: RateStanding | undefined;
}

/** Names and values in turn, as Node's server takes them: an object of them would cost more than all else that a limit does. */
type HeaderList = readonly string[];

/** The way of chat completions: `x-ratelimit-remaining-requests: 59`, `x-ratelimit-reset-requests: 1m0s`. */
export function countdownRateHeaders({ requests, tokens }: RateStandings): HeaderList {
  const headers: string[] = [];
  if (requests !== undefined) {
    headers.push('x-ratelimit-limit-requests', String(requests.limit));
    headers.push('x-ratelimit-remaining-requests', String(requests.remaining));
    headers.push('x-ratelimit-reset-requests', duration(requests.resetsInMs));
  }
  if (tokens !== undefined) {
    headers.push('x-ratelimit-limit-tokens', String(tokens.limit));
    headers.push('x-ratelimit-remaining-tokens', String(tokens.remaining));
    headers.push('x-ratelimit-reset-tokens', duration(tokens.resetsInMs));
  }
  return headers;
}

/** The way of messages: `anthropic-ratelimit-requests-reset: 2026-11-16T12:00:00Z`. */
export function momentRateHeaders({ requests, tokens }: RateStandings): HeaderList {
  const headers: string[] = [];
  if (requests !== undefined) {
    headers.push('anthropic-ratelimit-requests-limit', String(requests.limit));
    headers.push('anthropic-ratelimit-requests-remaining', String(requests.remaining));
    headers.push('anthropic-ratelimit-requests-reset', moment(Date.now() + requests.resetsInMs));
  }
  if (tokens !== undefined) {
    headers.push('anthropic-ratelimit-tokens-limit', String(tokens.limit));
    headers.push('anthropic-ratelimit-tokens-remaining', String(tokens.remaining));
    headers.push('anthropic-ratelimit-tokens-reset', moment(Date.now() + tokens.resetsInMs));
  }
  return headers;
}

/** Every header of either way. */
export function rateHeaderNames(): readonly string[] {
  const standing = { limit: 0, remaining: 0, resetsInMs: 0 };
  const rates = { requests: standing, tokens: standing };
  const headers = [...countdownRateHeaders(rates), ...momentRateHeaders(rates)];
  return headers.filter((_text, index) => index % 2 === 0);
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
