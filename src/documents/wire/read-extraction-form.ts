import { Fault } from '../../faults/fault.ts';
import { type Form, MAX_FORM_FIELD_BYTES } from '../../lib/form.ts';
import { MOST_OUTPUT_TOKENS } from '../../text/text-limits.ts';
import type { ExtractionRequest, ExtractionRoute, NamedFile } from '../extraction-request.ts';
import { MAX_SCHEMA_BYTES } from '../target-schema.ts';

const DEFAULT_MAX_TOKENS = 4_000;
const FILE_FIELDS: ReadonlySet<string> = new Set(['file', 'files', 'files[]']);

/** Parses the form of an extraction route; faults follow the documented order. */
export function readExtractionForm(form: Form, route: ExtractionRoute): ExtractionRequest {
  const files = readFiles(form);
  const schema = readSchema(form);
  if (schema === undefined || schema.trim() === '') {
    throw new Fault('field-unacceptable', 'Send the field `schema`: a JSON Schema as text.', {
      param: 'schema',
    });
  }
  const request = {
    route,
    files,
    schema,
    maxTokens: readMaxTokens(textOf(form, 'max_tokens')),
    system: textOf(form, 'system'),
    user: textOf(form, 'user'),
    citations: readFlag(form, 'citations'),
    confidence: readFlag(form, 'confidence'),
  };
  refuseCut(form);
  return request;
}

/** A truncated field exceeds any limit. */
function refuseCut({ cutFields }: Form): void {
  if (cutFields.has('schema')) {
    const message = `\`schema\` has more than ${MAX_FORM_FIELD_BYTES} bytes; at most ${MAX_SCHEMA_BYTES} are read.`;
    throw new Fault('schema-too-large', message, { param: 'schema' });
  }
  const param = ['system', 'user'].find((name) => cutFields.has(name));
  if (param === undefined) return;
  const message = `\`${param}\` has more than the ${MAX_FORM_FIELD_BYTES} bytes that are read; send less.`;
  throw new Fault('field-too-large', message, { param });
}

function readFiles(form: Form): readonly NamedFile[] {
  const files = form.files.filter(({ field }) => FILE_FIELDS.has(field));
  if (files.length === 0) {
    throw new Fault('field-unacceptable', 'Send at least one file, in the field `file` or `files`.', {
      param: 'file',
    });
  }
  return files.map(({ fileName, bytes }, index) => ({ name: fileName || `file-${index + 1}`, bytes }));
}

/** A text field or a file: curl sends a file if it is given a name. */
function readSchema({ fields, files }: Form): string | undefined {
  return fields.get('schema') ?? files.find(({ field }) => field === 'schema')?.bytes.toString('utf8');
}

/** A blank field counts as absent. */
function textOf({ fields }: Form, name: string): string | undefined {
  const text = fields.get(name);
  return text === undefined || text.trim() === '' ? undefined : text;
}

function readMaxTokens(text: string | undefined): number {
  if (text === undefined) return DEFAULT_MAX_TOKENS;
  const value = Number(text.trim());
  if (/^\d+(\.0+)?$/.test(text.trim()) && value >= 1 && value <= MOST_OUTPUT_TOKENS) return value;
  throw new Fault(
    'field-unacceptable',
    `\`max_tokens\` must be an integer from 1 to ${MOST_OUTPUT_TOKENS}, got ${shown(text)}.`,
    { param: 'max_tokens' },
  );
}

function readFlag(form: Form, param: string): boolean {
  const text = textOf(form, param);
  const flag = text?.trim().toLowerCase();
  if (flag === undefined || flag === 'false' || flag === '0') return false;
  if (flag === 'true' || flag === '1') return true;
  throw new Fault('field-unacceptable', `\`${param}\` must be true or false, got ${shown(text ?? '')}.`, {
    param,
  });
}

function shown(text: string): string {
  return text.length <= 40 ? JSON.stringify(text) : `a text of ${text.length} characters`;
}
