import { listedHeaders } from '../lib/header-lines.ts';

/** The remainder of a rate, and when it is fully available again. */
export interface RateStanding {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsInMs: number;
}

/** A caller's rates; absent: unlimited. */
export interface RateStandings {
  readonly requests?: RateStanding | undefined;
  readonly tokens?: RateStanding | undefined;
}

/**
 * How rates are written. `countdown`, the way of chat completions: `x-ratelimit-remaining-requests: 59`, `x-ratelimit-reset-requests: 1m0s`.
 * `moment`, the way of messages: `anthropic-ratelimit-requests-reset: 2026-11-16T12:00:00Z`.
 */
export type RateStyle = 'countdown' | 'moment';

/** Writes the headers of rates, as they stand in a head. */
export class RateHeaders {
  readonly #lines: Readonly<Record<RateStyle, Readonly<Record<keyof RateStandings, RateLines>>>> = {
    countdown: {
      requests: new RateLines(countdownNames('requests'), countdown),
      tokens: new RateLines(countdownNames('tokens'), countdown),
    },
    moment: {
      requests: new RateLines(momentNames('requests'), moment),
      tokens: new RateLines(momentNames('tokens'), moment),
    },
  };

  write(style: RateStyle, { requests, tokens }: RateStandings): string {
    const of = this.#lines[style];
    const lines = requests === undefined ? '' : of.requests.write(requests);
    return tokens === undefined ? lines : lines + of.tokens.write(tokens);
  }
}

/** Every header of either form. */
export function rateHeaderNames(): readonly string[] {
  const standing = { limit: 0, remaining: 0, resetsInMs: 0 };
  const rates = { requests: standing, tokens: standing };
  const written = new RateHeaders();
  const headers = listedHeaders(written.write('countdown', rates) + written.write('moment', rates));
  return headers.filter((_text, index) => index % 2 === 0);
}

interface RateNames {
  readonly limit: string;
  readonly remaining: string;
  readonly reset: string;
}

/** How the reset time is written. */
interface ResetForm {
  secondsOf(resetsInMs: number): number;
  write(seconds: number): string;
}

/** The headers of one rate. They go with every response, so the text is cached for a second. */
class RateLines {
  readonly #names: RateNames;
  readonly #reset: ResetForm;
  #limit = -1;
  #upToRemaining = '';
  #seconds = -1;
  #afterRemaining = '';

  constructor(names: RateNames, reset: ResetForm) {
    this.#names = names;
    this.#reset = reset;
  }

  write({ limit, remaining, resetsInMs }: RateStanding): string {
    const names = this.#names;
    if (limit !== this.#limit) {
      this.#limit = limit;
      this.#upToRemaining = `${names.limit}: ${limit}\r\n${names.remaining}: `;
    }
    const seconds = this.#reset.secondsOf(resetsInMs);
    if (seconds !== this.#seconds) {
      this.#seconds = seconds;
      this.#afterRemaining = `\r\n${names.reset}: ${this.#reset.write(seconds)}\r\n`;
    }
    return `${this.#upToRemaining}${remaining}${this.#afterRemaining}`;
  }
}

const countdown: ResetForm = {
  secondsOf: (resetsInMs) => Math.max(0, Math.ceil(resetsInMs / 1000)),
  write: duration,
};
const moment: ResetForm = {
  secondsOf: (resetsInMs) => Math.ceil((Date.now() + resetsInMs) / 1000),
  write: (seconds) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`,
};

function countdownNames(what: string): RateNames {
  const name = (part: string) => `x-ratelimit-${part}-${what}`;
  return { limit: name('limit'), remaining: name('remaining'), reset: name('reset') };
}

function momentNames(what: string): RateNames {
  const name = (part: string) => `anthropic-ratelimit-${what}-${part}`;
  return { limit: name('limit'), remaining: name('remaining'), reset: name('reset') };
}

/** In the format of chat completions: `6m0s`, `1h2m3s`. */
function duration(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours > 0 ? `${hours}h` : ''}${seconds >= 60 ? `${minutes}m` : ''}${seconds % 60}s`;
}
