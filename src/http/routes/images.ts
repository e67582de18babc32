import { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import type { FaultCode } from '../../faults/fault-table.ts';
import { formWithFiles } from '../../files/form-with-files.ts';
import type { StackFiles } from '../../files/stack-files.ts';
import type { ImageRequest } from '../../images/image-request.ts';
import type { ImageService } from '../../images/image-service.ts';
import { imageAnswerSchema, writeImageAnswer } from '../../images/wire/image-answer.ts';
import { imageRequestSchema } from '../../images/wire/image-request-schema.ts';
import {
  type ReadingContext,
  readEdit,
  readGeneration,
  refuseFormAsGeneration,
} from '../../images/wire/read-image-request.ts';
import { formOf } from '../../lib/form.ts';
import type { Answer } from '../answer.ts';
import { JSON_CAP_BYTES } from '../body-rules.ts';
import { jsonReply, type KeyRequest, type KeyRoute } from '../route.ts';
import { ofScope } from './of-scope.ts';

const EDITS_CAP_BYTES = 21 * 1024 * 1024;

const fieldFaults: readonly FaultCode[] = [
  'mask-not-supported',
  'invalid-prompt',
  'missing-prompt',
  'invalid-size',
  'invalid-steps',
  'invalid-guidance-scale',
  'invalid-seed',
  'invalid-n',
  'invalid-response-format',
];
const referenceFaults: readonly FaultCode[] = [
  'missing-image',
  'too-many-reference-images',
  'unsupported-image-format',
  'model-not-found',
  'invalid-request',
  'file-too-large',
];
const workFaults: readonly FaultCode[] = [
  'model-not-allowed',
  'budget-exceeded',
  'storage-quota-exceeded',
  'storage-full',
  'image-rate-limited',
  'image-queue-full',
  'image-not-stored',
  'model-not-ready',
  'image-queue-timeout',
];

const editSchema = imageRequestSchema.extend({
  image: z
    .array(z.file())
    .optional()
    .describe('1 to 4 PNG, JPEG or WEBP files of at most 5 MiB each; also as `image[]`.'),
  file_id: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('Stored files, in addition to those sent or in their place; repeated once per file.'),
});

/** Image generation from a prompt, and from a prompt and reference images. */
export function imageRoutes(service: ImageService, files: StackFiles): readonly KeyRoute[] {
  return [
    {
      ...common,
      path: '/v1/images/generations',
      body: {
        kind: 'json',
        cap: () => JSON_CAP_BYTES,
        tooLarge: 'image-too-large',
        exactIntegers: true,
        refuseForm: refuseFormAsGeneration,
      },
      summary: 'Image generation',
      detail: 'Paints an image from words, stores it, and answers with it. `model` is ignored.',
      request: { schema: imageRequestSchema, schemaName: 'ImageRequest', example: generationExample },
      faults: ['wrong-route-for-reference-image', ...fieldFaults, ...workFaults],
      handle: (request) =>
        answerWith(service, request, readGeneration(request.body, contextOf(service, request.caller))),
    },
    {
      ...common,
      path: '/v1/images/edits',
      body: { kind: 'form', cap: () => EDITS_CAP_BYTES, tooLarge: 'image-too-large' },
      summary: 'Image editing',
      detail: 'Paints an image from words and 1 to 4 reference images, stores it, and answers with it.',
      request: { schema: editSchema, schemaName: 'ImageEditRequest', example: editExample },
      faults: [...fieldFaults, ...referenceFaults, ...workFaults],
      handle: async (request) => {
        const { caller, body } = request;
        const reading = { stackId: caller.stack.id, mostBytes: EDITS_CAP_BYTES, request, field: 'image' };
        const form = await formWithFiles(formOf(body), files, reading);
        return await answerWith(service, request, readEdit(form, contextOf(service, caller)));
      },
    },
  ];
}

const common = {
  ...ofScope('images'),
  method: 'POST',
  imagePlan: true,
  answer: jsonReply('ImageAnswer', imageAnswerSchema),
} as const;

function contextOf(service: ImageService, caller: Caller): ReadingContext {
  return { keyPrompt: caller.key.prompt, engine: service.engineOf(caller) };
}

async function answerWith(service: ImageService, request: KeyRequest, asked: ImageRequest): Promise<Answer> {
  const image = await service.paint(request.caller, asked, request);
  const { unknownWords } = image;
  const headers = unknownWords === undefined ? {} : { 'x-prompt-unknown-words': String(unknownWords.length) };
  return { contentType: 'application/json', headers, body: writeImageAnswer(image) };
}

const generationExample = '{"prompt": "a watercolour fox", "size": "1024x1024", "steps": 4}';
const editExample = '-F prompt="make it winter" -F image=@fox.png';
