import { chatFamily } from '../../families/chat-family.ts';
import type { FileService } from '../../files/file-service.ts';
import { fileObject, fileSchema } from '../../files/wire/file-object.ts';
import type { Gallery } from '../../images/gallery.ts';
import { isImageId } from '../../images/image-id.ts';
import { jsonAnswer } from '../answer.ts';
import { jsonReply, type LinkRoute } from '../route.ts';
import { fileAnswer } from './file-answer.ts';
import { showImage } from './gallery.ts';

/** Files and images by signed links, without a key. */
export function linkRoutes(files: FileService, gallery: Gallery): readonly LinkRoute[] {
  return [
    {
      ...common,
      method: 'GET',
      path: '/files/:id',
      body: { kind: 'none' },
      summary: 'Read a file by its link',
      detail: 'The bytes of a file or an image.',
      answer: {
        contentType: 'application/octet-stream',
        orContentType: 'image/png',
        revalidates: true,
      },
      faults: ['file-not-found', 'image-not-found', 'storage-away'],
      handle: async (request) => {
        const id = request.params.id ?? '';
        if (isImageId(id)) return await showImage(gallery, request);
        return fileAnswer(await files.content(request.caller, id, request));
      },
    },
    {
      ...common,
      method: 'PUT',
      path: '/files/:id',
      body: { kind: 'bytes', cap: () => files.maxBytes, tooLarge: 'body-too-large' },
      summary: 'Send the bytes of an announced file by its link',
      detail: 'Takes the bytes once; the link then cannot be used again.',
      answer: jsonReply('File', fileSchema),
      faults: [
        'invalid-request',
        'file-not-found',
        'file-already-uploaded',
        'file-too-large',
        'storage-full',
        'file-not-stored',
      ],
      handle: async ({ caller, params, body, signal }) => {
        const bytes = bytesOf(body);
        return jsonAnswer(fileObject(await files.upload(caller, { id: params.id ?? '', bytes }, signal)));
      },
    },
  ];
}

function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body;
  throw new TypeError('the body was not read as bytes');
}

const common = {
  access: 'link',
  family: chatFamily,
  group: 'Files',
  parameters: [{ name: 'id', meaning: 'The id of the file or image.' }],
  query: [
    { name: 'exp', meaning: 'When the link ends, as it was given.' },
    { name: 'sig', meaning: 'Its signature, as it was given.' },
  ],
} as const;
