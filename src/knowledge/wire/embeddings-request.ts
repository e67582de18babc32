import * as z from 'zod';
import { Fault } from '../../faults/fault.ts';
import { describeValue, parseField } from '../../text/wire/parse-field.ts';

/** A parsed embeddings request. */
export interface EmbeddingsRequest {
  readonly texts: readonly string[];
  readonly encoding: 'float' | 'base64';
  readonly dimensions: number | undefined;
}

/** Texts per request. */
const MAX_TEXTS = 2048;
/** Characters per text. */
const MAX_TEXT_CHARACTERS = 100_000;

const TEXT_KIND = `a text of 1 to ${MAX_TEXT_CHARACTERS} characters`;
const text = z.string(TEXT_KIND).min(1, TEXT_KIND).max(MAX_TEXT_CHARACTERS, TEXT_KIND);
const INPUT_KIND = `a text, or an array of 1 to ${MAX_TEXTS} texts`;

/** The body of `POST /v1/embeddings`. */
export const embeddingsRequestSchema = z.object(
  {
    model: z.string('the name of the embeddings model').describe('The embeddings model of this gateway.'),
    input: z
      .union([text, z.array(text).min(1, INPUT_KIND).max(MAX_TEXTS, INPUT_KIND)], INPUT_KIND)
      .describe('A text, or several; none may be empty. Arrays of tokens are not taken.'),
    encoding_format: z
      .enum(['float', 'base64'], '"float" or "base64"')
      .default('float')
      .describe('base64: the numbers as 32-bit floats, little-endian.'),
    dimensions: z
      .int('a positive integer')
      .positive('a positive integer')
      .nullish()
      .describe('Taken only where it is what the model gives: vectors are not shortened.'),
    user: z.string('a text').nullish().describe('Without effect.'),
  },
  'an object with `model` and `input`',
);

/** Parses the body; an unknown model is a fault. */
export function openEmbeddingsRequest(body: unknown, servedModel: string): EmbeddingsRequest {
  refuseTokens(body);
  const { model, input, encoding_format, dimensions } = parseField(embeddingsRequestSchema, body);
  if (model !== servedModel) {
    const message = `This gateway embeds with "${servedModel}", not ${describeValue(model)}.`;
    throw new Fault('model-not-found', message, { param: 'model' });
  }
  const texts = typeof input === 'string' ? [input] : input;
  return { texts, encoding: encoding_format, dimensions: dimensions ?? undefined };
}

function refuseTokens(body: unknown): void {
  const input = typeof body === 'object' && body !== null && 'input' in body ? body.input : undefined;
  const first: unknown = Array.isArray(input) ? input.flat()[0] : undefined;
  if (typeof first !== 'number') return;
  const message =
    '`input` must be text: arrays of tokens are not taken, because they belong to another model.';
  throw new Fault('invalid-request', message, { param: 'input' });
}
