import { Fault } from '../../faults/fault.ts';
import type { Form } from '../../lib/form.ts';
import { isRecord } from '../../lib/json-record.ts';
import type { ImageEngine } from '../image-engine.ts';
import type { ImageRequest } from '../image-request.ts';
import { checkFields, isAbsent } from './check-fields.ts';
import { effectivePrompt, MAX_PROMPT_CHARACTERS } from './effective-prompt.ts';
import { type FieldValues, valuesOfForm } from './field-values.ts';

/** References per edit. */
const MAX_REFERENCES = 4;
/** Bytes per reference. */
const MAX_REFERENCE_BYTES = 5 * 1024 * 1024;

export interface ReadingContext {
  readonly keyPrompt: string | undefined;
  /** Absent if it is not available here; any model name is then accepted. */
  readonly engine: Pick<ImageEngine, 'model' | 'maxPromptCharacters' | 'maxReferences'> | undefined;
}

/** Fields with which clients send pictures; an error in generations. */
const pictureMembers = ['image', 'image[]', 'images', 'image_url', 'reference_images'];
const referenceFields = ['image', 'image[]'];

/** Parses the JSON body of a generation. */
export function readGeneration(body: unknown, context: ReadingContext): ImageRequest {
  const values = objectOf(body);
  refusePictures(pictureMembers.some((name) => !isAbsent(values[name])));
  refuseMask(!isAbsent(values.mask));
  const prompt = promptOf(values, context);
  return { route: 'generations', prompt, ...checkFields(values), files: [] };
}

/** The specific problem of a form sent to the generations route, if any. */
export function refuseFormAsGeneration({ fields, files }: Form): Fault | undefined {
  const isMask = ({ field }: { readonly field: string }) => field === 'mask';
  if (pictureMembers.some((name) => fields.has(name)) || files.some((file) => !isMask(file)))
    return wrongRoute();
  return fields.has('mask') || files.some(isMask) ? maskNotSupported() : undefined;
}

/** Parses the form of an edit. */
export function readEdit(form: Form, context: ReadingContext): ImageRequest {
  const values = valuesOfForm(form);
  refuseMask(form.fields.has('mask') || form.files.some(({ field }) => field === 'mask'));
  const prompt = promptOf(values, context);
  const checked = checkFields(values);
  checkModel(values.model, context.engine?.model);
  return { route: 'edits', prompt, ...checked, files: referencesOf(form, context) };
}

function promptOf({ prompt }: FieldValues, { keyPrompt, engine }: ReadingContext): string {
  return effectivePrompt(prompt, keyPrompt, engine?.maxPromptCharacters ?? MAX_PROMPT_CHARACTERS);
}

function refusePictures(areSent: boolean): void {
  if (areSent) throw wrongRoute();
}

function refuseMask(isSent: boolean): void {
  if (isSent) throw maskNotSupported();
}

function checkModel(model: unknown, served: string | undefined): void {
  if (isAbsent(model) || served === undefined || model === served) return;
  throw new Fault('model-not-found', `This stack paints with "${served}", not with the model asked for.`, {
    param: 'model',
  });
}

function referencesOf({ files }: Form, { engine }: ReadingContext): readonly Uint8Array[] {
  const references = files.filter(({ field }) => referenceFields.includes(field));
  if (references.length === 0) {
    throw new Fault(
      'missing-image',
      'An edit needs 1 to 4 files in the field `image` or `image[]`, got none.',
      {
        param: 'image',
      },
    );
  }
  const most = Math.min(MAX_REFERENCES, engine?.maxReferences ?? MAX_REFERENCES);
  if (references.length > most) throw tooMany(references.length, most);
  const oversize = references.findIndex(({ bytes }) => bytes.length > MAX_REFERENCE_BYTES);
  const bytes = references[oversize]?.bytes;
  if (bytes !== undefined) throw tooLarge(oversize, bytes.length);
  return references.map((file) => file.bytes);
}

function tooMany(got: number, most: number): Fault {
  const who = most < MAX_REFERENCES ? 'The image engine of this stack takes' : 'An edit takes';
  return new Fault('too-many-reference-images', `${who} at most ${most} reference images, got ${got}.`, {
    param: 'image',
  });
}

function tooLarge(index: number, sizeBytes: number): Fault {
  const message = `Reference image ${index + 1} has ${sizeBytes} bytes; at most ${MAX_REFERENCE_BYTES} are taken.`;
  return new Fault('image-too-large', message, { param: 'image' });
}

function wrongRoute(): Fault {
  return new Fault(
    'wrong-route-for-reference-image',
    'This route paints from words alone; send reference images to /v1/images/edits.',
    { param: 'image' },
  );
}

function maskNotSupported(): Fault {
  return new Fault('mask-not-supported', '`mask` is not supported; say in the prompt what to change.', {
    param: 'mask',
  });
}

function objectOf(body: unknown): FieldValues {
  if (isRecord(body)) return { ...body };
  throw new Fault('json-malformed', 'The body must be a JSON object with the fields of the image.');
}
