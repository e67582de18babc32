import { z } from 'zod';

const callId = z.string('a string').nullish();
const content = z.union([z.string(), z.array(z.unknown())], 'a string or an array of parts').nullish();

/** A message. */
export const messageItemSchema = z.object({
  role: z.enum(['user', 'assistant', 'system', 'developer'], 'user, assistant, system or developer'),
  content,
});

/** An earlier function call of the model. */
export const functionCallSchema = z.object({
  call_id: z.string('a string'),
  name: z.string('a name'),
  namespace: z.string('a string').nullish(),
  arguments: z.string('JSON text').nullish(),
});

/** An earlier call of a tool that takes plain text. */
export const customCallSchema = z.object({
  call_id: z.string('a string'),
  name: z.string('a name'),
  namespace: z.string('a string').nullish(),
  input: z.string('a string').nullish(),
});

/** The output of a tool. */
export const callOutputSchema = z.object({ call_id: callId, output: content });

const partList = z.array(z.looseObject({ type: z.string(), text: z.string().nullish() })).nullish();

/** Earlier reasoning of the model, in one of three members. */
export const reasoningItemSchema = z.object({
  content: partList,
  summary: partList,
  encrypted_content: z.string('a string').nullish(),
});

/** A list of tools among the input. */
export const additionalToolsSchema = z.object({ tools: z.array(z.unknown(), 'an array of tools').nullish() });

/** A part of a message or of a tool's output. */
export const partSchema = z.looseObject({
  type: z.string('a kind of part'),
  text: z.string('a string').nullish(),
  refusal: z.string('a string').nullish(),
  image_url: z.string('a data URL').nullish(),
  file_data: z.string('base64 data').nullish(),
  file_url: z.string('a string').nullish(),
  file_id: z.string('a string').nullish(),
  filename: z.string('a string').nullish(),
});

export type ItemPart = z.infer<typeof partSchema>;
