import { Fault } from '../../faults/fault.ts';
import type { Form, FormFile } from '../../lib/form.ts';
import type { DocumentSource } from '../reading/document-source.ts';

/** Documents per form. */
export const MAX_FILES = 100;

/** The documents of a form; `name` overrides the name of a single file. */
export function readKnowledgeForm({ fields, files }: Form): readonly DocumentSource[] {
  const chosen = files.filter(({ field }) => field === 'file' || field === 'file[]');
  if (chosen.length === 0) throw invalid('file', 'Send at least one document in the form field `file`.');
  if (chosen.length > MAX_FILES) {
    throw invalid('file', `At most ${MAX_FILES} documents are taken at a time, got ${chosen.length}.`);
  }
  const name = fields.get('name')?.trim();
  if (name !== undefined && name !== '' && chosen.length > 1) {
    throw invalid('name', '`name` goes with one document; several have the names of their files.');
  }
  const sources = chosen.map((file) => ({ name: name || nameOf(file), bytes: file.bytes }));
  const names = new Set(sources.map((source) => source.name));
  if (names.size < sources.length) throw invalid('file', 'Two of the documents have the same name.');
  return sources;
}

/** Some clients send the whole path. */
function nameOf({ fileName }: FormFile): string {
  const name = fileName.split(/[/\\]/).at(-1)?.trim() ?? '';
  if (name === '') throw invalid('name', 'A document needs a name: that of its file, or the field `name`.');
  return name;
}

function invalid(param: string, message: string): Fault {
  return new Fault('invalid-request', message, { param });
}
