import { Fault } from '../../faults/fault.ts';
import type { Form } from '../../lib/form.ts';
import type { FileDescription } from '../file-service.ts';

const DEFAULT_PURPOSE = 'user_data';
const DEFAULT_NAME = 'upload';
const PURPOSE = /^[\w-]{1,64}$/;
const LEAST_KEEP_SECONDS = 3_600;
const MOST_KEEP_SECONDS = 2_592_000;

/** Parses the form of an upload. */
export function readFileForm({ fields, files }: Form): FileDescription & { readonly bytes: Buffer } {
  const [file, other] = files.filter(({ field }) => field === 'file');
  if (file === undefined) throw invalid('file', 'Send the file in the form field `file`.');
  if (other !== undefined) throw invalid('file', 'Send one file at a time.');
  const keepSeconds = readKeepSeconds(fields);
  return {
    name: fileNameOf(file.fileName),
    purpose: readPurpose(fields.get('purpose')),
    ...(keepSeconds !== undefined && { keepSeconds }),
    bytes: file.bytes,
  };
}

/** The purpose of a file; any short word is taken. */
export function readPurpose(purpose: string | undefined): string {
  if (purpose === undefined || purpose === '') return DEFAULT_PURPOSE;
  if (PURPOSE.test(purpose)) return purpose;
  throw invalid('purpose', '`purpose` must have 1 to 64 letters, digits, `_` and `-`.');
}

/** Some clients send the whole path. */
export function fileNameOf(fileName: string): string {
  return fileName.split(/[/\\]/).at(-1)?.trim() || DEFAULT_NAME;
}

function readKeepSeconds(fields: Form['fields']): number | undefined {
  const anchor = fields.get('expires_after[anchor]');
  const text = fields.get('expires_after[seconds]');
  if (anchor === undefined && text === undefined) return undefined;
  if (anchor !== undefined && anchor !== 'created_at')
    throw invalid('expires_after', '`expires_after[anchor]` must be `created_at`.');
  const keepSeconds = /^\d{1,9}$/.test(text ?? '') ? Number(text) : 0;
  if (keepSeconds >= LEAST_KEEP_SECONDS && keepSeconds <= MOST_KEEP_SECONDS) return keepSeconds;
  const message = `\`expires_after[seconds]\` must be an integer from ${LEAST_KEEP_SECONDS} to ${MOST_KEEP_SECONDS}.`;
  throw invalid('expires_after', message);
}

function invalid(param: string, message: string): Fault {
  return new Fault('invalid-request', message, { param });
}
