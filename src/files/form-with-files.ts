import type { Form, FormFile } from '../lib/form.ts';
import type { FileReading, StackFiles } from './stack-files.ts';

const PARAM = 'file_id';

/** The form with the stored files that its fields `file_id` name, as if they had been sent in the given field, after the others. */
export async function formWithFiles(
  form: Form,
  files: StackFiles,
  { field, ...reading }: FileReading & { readonly field: string },
): Promise<Form> {
  const ids = [PARAM, `${PARAM}[]`].flatMap((name) => form.lists.get(name) ?? []).filter((id) => id !== '');
  if (ids.length === 0) return form;
  const references = ids.map((id) => ({ id, param: PARAM }));
  const stored = await files.read(references, reading);
  const added = stored.map(({ name, bytes }): FormFile => ({ field, fileName: name, bytes }));
  return { ...form, files: [...form.files, ...added] };
}
