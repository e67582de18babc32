import { isRecord } from './json-record.ts';

/** Longer text fields are truncated. */
export const MAX_FORM_FIELD_BYTES = 4 * 1024 * 1024;

/** A parsed form, multipart or URL-encoded. */
export interface Form {
  /** Text fields by name; the last one wins. */
  readonly fields: ReadonlyMap<string, string>;
  /** All values of each text field, in order of arrival. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
  /** Names of truncated fields; each route decides what that means. */
  readonly cutFields: ReadonlySet<string>;
  /** In order of arrival, across all names. */
  readonly files: readonly FormFile[];
}

export interface FormFile {
  /** The name of its field. */
  readonly field: string;
  /** The client's name for it; empty if absent. */
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** A body that was read as a form. */
export function formOf(body: unknown): Form {
  if (isForm(body)) return body;
  throw new TypeError('the body was not read as a form');
}

/** Whether a body was read as a form. */
export function isForm(body: unknown): body is Form {
  return isRecord(body) && body.fields instanceof Map && 'files' in body;
}
