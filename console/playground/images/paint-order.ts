import { ask, playground } from '../../api/client.ts';
import type { ApiRequest } from '../curl.ts';
import { type ImageForm, imageFields, imageJson, seedProblem } from './image-form.ts';

export const MOST_REFERENCES = 4;

/** An image to paint, or an edit of the images that are given with it. */
export interface PaintOrder {
  readonly form: ImageForm;
  /** Ids of stored images. */
  readonly parents: readonly string[];
  readonly files: readonly File[];
}

export function isEdit({ parents, files }: PaintOrder): boolean {
  return parents.length + files.length > 0;
}

/** The order as a request with a key. */
export function requestOf(order: PaintOrder): ApiRequest | undefined {
  const { form, parents, files } = order;
  if (seedProblem(form.seed) !== undefined) return undefined;
  if (!isEdit(order)) return { path: '/v1/images/generations', body: imageJson(form, 2) };
  const names = [...parents.map((id) => `${id}.png`), ...files.map(({ name }) => name)];
  return {
    path: '/v1/images/edits',
    form: [
      ...Object.entries(imageFields(form)).map(([name, text]) => ({ name, text })),
      ...names.map((file) => ({ name: 'image', file })),
    ],
  };
}

/** Words of the prompt that had no effect; none where the model cannot tell. */
export async function paint(stack: string, order: PaintOrder): Promise<readonly string[]> {
  const answer = await (isEdit(order)
    ? ask(playground(stack, '/v1/images/edits'), { method: 'POST', form: await formData(order) })
    : ask(playground(stack, '/v1/images/generations'), { method: 'POST', text: imageJson(order.form) }));
  const { meta } = (await answer.json()) as { meta?: { unknown_words?: readonly string[] } };
  return meta?.unknown_words ?? [];
}

async function formData({ form, parents, files }: PaintOrder): Promise<FormData> {
  const data = new FormData();
  for (const [name, value] of Object.entries(imageFields(form))) data.append(name, value);
  for (const id of parents)
    data.append('image', await (await ask(`/images/${encodeURIComponent(id)}/content`)).blob(), `${id}.png`);
  for (const file of files) data.append('image', file);
  return data;
}
