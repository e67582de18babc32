/** A request to /v1, as the playground sends it. */
export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** JSON as it is sent. */
  readonly body?: string;
  readonly form?: readonly FormPart[];
  /** Where the answer is no text. */
  readonly output?: string;
  readonly streams?: boolean;
}

export type FormPart =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly file: string };

/** The command that sends the same request with a key of the stack. */
export function asCurl(
  { method, path, body, form, output, streams = false }: ApiRequest,
  origin: string,
): string {
  const isGet = method === 'GET' || (method === undefined && body === undefined && form === undefined);
  const parts = [
    `curl ${streams ? '-N ' : ''}${quoted(origin + path)}`,
    ...(method !== undefined && !isGet && method !== 'POST' ? [`-X ${method}`] : []),
    '-H "Authorization: Bearer $STACKGATE_KEY"',
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`]),
    ...(form ?? []).map((part) =>
      'file' in part
        ? `-F ${quoted(`${part.name}=@"${escapedName(part.file)}"`)}`
        : `--form-string ${quoted(`${part.name}=${part.text}`)}`,
    ),
    ...(output === undefined ? [] : [`-o ${quoted(output)}`]),
  ];
  return parts.join(' \\\n  ');
}

/** curl reads quotes and backslashes in a quoted name of a file. */
function escapedName(name: string): string {
  return name.replace(/["\\]/g, '\\$&');
}

/** A word for a POSIX shell: within single quotes only the quote itself ends them. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
