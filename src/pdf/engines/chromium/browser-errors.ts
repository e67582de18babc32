/** No browser can be started; the message says why, for the operator. */
export class BrowserUnavailable extends Error {
  override readonly name = 'BrowserUnavailable';
  /** When a retry makes sense. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The browser started but did not respond; starting it differently would not help. */
export class BrowserSilent extends BrowserUnavailable {}

/** The browser ended during a document, which need not be the cause. */
export class BrowserGone extends Error {
  override readonly name = 'BrowserGone';
}

/** The renderer of a document crashed, or was killed for its memory use. */
export class PageCrashed extends Error {
  override readonly name = 'PageCrashed';
}

export class PrintTimedOut extends Error {
  override readonly name = 'PrintTimedOut';
}

export class TooManyPages extends Error {
  override readonly name = 'TooManyPages';
}

/** The browser answered a command with an error. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
