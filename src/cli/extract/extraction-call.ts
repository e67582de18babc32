import { OperatorError } from '../../admin/operator-error.ts';
import { isRecord, type JsonRecord } from '../../lib/json-record.ts';

/** A file to send, with its name. */
export interface SentFile {
  readonly name: string;
  readonly bytes: Buffer;
}

export interface ExtractionCall {
  readonly url: string;
  readonly key: string;
  readonly route: 'documents' | 'images';
  readonly files: readonly SentFile[];
  /** Text fields of the form, by name; those that are undefined are not sent. */
  readonly fields: Readonly<Record<string, string | undefined>>;
}

/** The gateway stops an extraction itself before that. */
const CALL_MS = 300_000;

/** Calls a running gateway, and returns its answer. */
export async function callExtraction({
  url,
  key,
  route,
  files,
  fields,
}: ExtractionCall): Promise<JsonRecord> {
  const body = new FormData();
  for (const { name, bytes } of files) body.append('files', new Blob([new Uint8Array(bytes)]), name);
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.append(name, value);
  const response = await reach(`${url}/v1/${route}/extract`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body,
    signal: AbortSignal.timeout(CALL_MS),
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && isRecord(answer)) return answer;
  throw new OperatorError(`the gateway answered ${response.status}: ${reasonIn(answer)}`);
}

async function reach(address: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(address, request);
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorError(`${address} does not answer: ${reason}; is the gateway running?`);
  }
}

function reasonIn(answer: unknown): string {
  if (!isRecord(answer)) return 'no JSON';
  return typeof answer.detail === 'string' ? answer.detail : JSON.stringify(answer);
}
