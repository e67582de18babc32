/** A whole answer. */
export interface Answer {
  readonly status?: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** An answer that is JSON. */
export function jsonAnswer(value: unknown): Answer {
  return { contentType: 'application/json', body: JSON.stringify(value) };
}
