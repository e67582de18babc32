import { isRecord } from './json-record.ts';

/** So much is kept of each text of a form. */
export const MAX_FORM_FIELD_BYTES = 4 * 1024 * 1024;

/** A form as it was filled in: multipart or URL-encoded. */
export interface Form {
  /** Texts by name; of a name that came more than once, the last. */
  readonly fields: ReadonlyMap<string, string>;
  /** The names of texts of which only the beginning is kept; what that means is each route's to say. */
  readonly cutFields: ReadonlySet<string>;
  /** In the order in which they came, over all names. */
  readonly files: readonly FormFile[];
}

/** A file of a form, whole. */
export interface FormFile {
  /** The name of its field. */
  readonly field: string;
  /** What the sender calls it; empty where it says nothing. */
  readonly fileName: string;
  readonly bytes: Buffer;
}

/** A body that was read as a form. */
export function formOf(body: unknown): Form {
  if (isForm(body)) return body;
  throw new TypeError('the body was not read as a form');
}

function isForm(body: unknown): body is Form {
  return isRecord(body) && body.fields instanceof Map && 'files' in body;
}
