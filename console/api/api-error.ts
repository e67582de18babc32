/** An answer that is no success, in the gateway's own words. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string | undefined;
  /** The whole body, for what else it carries. */
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(messageIn(body) ?? fallbackMessage(status));
    this.status = status;
    this.code = codeIn(body);
    this.body = body;
  }
}

/** Whether someone else changed the thing first. */
export function isStale(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

/** A sentence for any failure. */
export function problemText(error: unknown): string {
  // The words of the gateway are for programs: they tell which header to send.
  if (isStale(error))
    return 'Someone else has changed it meanwhile, so nothing was saved. Load it again, and repeat your change.';
  if (error instanceof ApiError)
    return error.code === undefined ? error.message : `${error.message} (${error.code})`;
  if (error instanceof TypeError) return 'The gateway cannot be reached. Is it running?';
  return error instanceof Error ? error.message : String(error);
}

type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
}

/** The families of routes render errors in different shapes: `detail`, or `error` with a message. */
function messageIn(body: unknown): string | undefined {
  const fields = fieldsOf(body);
  if (typeof fields?.detail === 'string') return fields.detail;
  const message = fieldsOf(fields?.error)?.message;
  return typeof message === 'string' ? message : undefined;
}

function codeIn(body: unknown): string | undefined {
  const code = fieldsOf(fieldsOf(body)?.error)?.code ?? fieldsOf(body)?.code;
  return typeof code === 'string' ? code : undefined;
}

function fallbackMessage(status: number): string {
  if (status === 403) return 'You may see this, but not change it.';
  if (status === 404) return 'There is no such thing, or it is not yours to see.';
  return `The gateway answered ${status}.`;
}
