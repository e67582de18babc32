import { documentsFamily } from '../../families/documents-family.ts';
import { Fault } from '../../faults/fault.ts';
import { type FormFile, formOf } from '../../lib/form.ts';
import type { PictureProcess } from '../../pictures/picture-process.ts';
import type { DocumentFile, DocumentReader, PageShower } from '../../reading/document-reader.ts';
import { type Answer, jsonAnswer } from '../answer.ts';
import { formBody } from '../body-rules.ts';
import type { KeyRequest, PlaygroundRoute } from '../route.ts';
import { PLAYGROUND } from './console-route.ts';

/** The most pages that are drawn. */
const MAX_PAGES = 30;

export interface PagePictureParts {
  readonly reader: Pick<DocumentReader, 'kindOf'> & PageShower;
  readonly pictures: Pick<PictureProcess, 'preview'>;
}

/** `POST /playground/{stack}/pages`: a document as pictures of its pages, so that no browser has to open it. */
export function pagePictures(parts: PagePictureParts): PlaygroundRoute {
  return {
    method: 'POST',
    path: '/pages',
    access: 'playground',
    scope: 'extract',
    mountedAt: PLAYGROUND,
    family: documentsFamily,
    body: formBody(({ extraction }) => Math.max(extraction.documentBytes, extraction.imageBytes)),
    group: 'Admin',
    summary: 'Console',
    detail: 'Of the console alone.',
    answer: { contentType: 'application/json' },
    handle: (request) => draw(parts, request),
  };
}

async function draw(parts: PagePictureParts, { body, caller, signal }: KeyRequest): Promise<Answer> {
  const [file] = formOf(body).files;
  if (file === undefined) throw new Fault('field-unacceptable', 'Send a document as `file`.');
  const document = { stackId: caller.stack.id, bytes: file.bytes, name: file.fileName || undefined };
  switch (parts.reader.kindOf(file.bytes)) {
    case 'pdf':
      return jsonAnswer({ pages: await pagesOf(parts, document, signal) });
    case 'image':
      return jsonAnswer({ pages: [await picturePage(parts, file, { stackId: caller.stack.id, signal })] });
    default:
      throw new Fault('document-unreadable', 'The file is neither a PDF nor a JPEG, PNG or WEBP image.');
  }
}

async function pagesOf({ reader }: PagePictureParts, document: DocumentFile, signal: AbortSignal) {
  const pages = await reader.showPdf(document, MAX_PAGES, signal);
  return pages.map(({ page, width, height, png }) => ({
    page,
    width,
    height,
    image: dataUrl('image/png', png),
  }));
}

async function picturePage(
  { pictures }: PagePictureParts,
  { bytes }: FormFile,
  work: { readonly stackId: string; readonly signal: AbortSignal },
) {
  const { width, height, mediaType, bytes: preview } = await pictures.preview(bytes, work);
  return { page: 1, width, height, image: dataUrl(mediaType, preview) };
}

function dataUrl(mediaType: string, bytes: Uint8Array): string {
  return `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
}
