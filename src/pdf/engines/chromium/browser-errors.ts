/** No browser can be started; the message says why, for the operator. */
export class BrowserUnavailable extends Error {
  override readonly name = 'BrowserUnavailable';
  /** When another attempt is worth making. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The browser was started and said nothing; another way of starting it would not change that. */
export class BrowserSilent extends BrowserUnavailable {}

/** The browser ended while it worked on a document, which need not be the one to blame. */
export class BrowserGone extends Error {
  override readonly name = 'BrowserGone';
}

/** The process of one document ended: it crashed, or it was ended for its use of memory. */
export class PageCrashed extends Error {
  override readonly name = 'PageCrashed';
}

/** A document took longer than it may. */
export class PrintTimedOut extends Error {
  override readonly name = 'PrintTimedOut';
}

/** A document has more pages than it may. */
export class TooManyPages extends Error {
  override readonly name = 'TooManyPages';
}

/** The browser answered a command with an error. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
