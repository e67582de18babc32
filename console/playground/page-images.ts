import { askJson, playground } from '../api/client.ts';
import type { PageImage } from '../api/types.ts';

/** A page to look at, of one of several files. */
export interface ShownPage extends PageImage {
  readonly file: number;
}

/** The pages of PDFs as the gateway's own PDFium draws them; pictures are their own page. */
export async function pagesOf(
  stack: string,
  files: readonly (File | Blob)[],
  signal?: AbortSignal,
): Promise<readonly ShownPage[]> {
  const all = await Promise.all(
    files.map((file) => (file.type.startsWith('image/') ? pictureOf(file) : drawnOf(stack, file, signal))),
  );
  return all.flatMap((pages, index) => pages.map((page) => ({ ...page, file: index + 1 })));
}

async function drawnOf(
  stack: string,
  file: Blob,
  signal: AbortSignal | undefined,
): Promise<readonly PageImage[]> {
  const form = new FormData();
  form.append('file', file, file instanceof File ? file.name : 'document.pdf');
  return (
    await askJson<{ pages: readonly PageImage[] }>(playground(stack, '/pages'), {
      method: 'POST',
      form,
      signal,
    })
  ).pages;
}

async function pictureOf(file: Blob): Promise<readonly PageImage[]> {
  const picture = await createImageBitmap(file);
  const { width, height } = picture;
  picture.close();
  return [{ page: 1, width, height, image: URL.createObjectURL(file) }];
}
