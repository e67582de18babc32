import { z } from 'zod';

const MAXIMUM_ARGUMENTS = 32;
const MAXIMUM_NAME_CHARACTERS = 64;
const MAXIMUM_VALUE_CHARACTERS = 1_000;

/** Arguments that the server sets itself: with one of these a client could replace the prompt, or the template. */
const RESERVED_NAMES: ReadonlySet<string> = new Set([
  ...['chat_template', 'messages', 'conversation', 'tools', 'documents'],
  ...['tokenize', 'return_dict', 'return_tensors', 'padding', 'truncation', 'max_length'],
  ...['add_generation_prompt', 'continue_final_message', 'add_special_tokens'],
]);

const values = `a string of up to ${MAXIMUM_VALUE_CHARACTERS} characters, a number, true, false or null`;
const scalar = z.union(
  [z.string().max(MAXIMUM_VALUE_CHARACTERS, values), z.number(), z.boolean(), z.null()],
  values,
);

/** Switches of a model family's template: few, plain, and none that changes how a prompt is built. */
export const templateArgumentsSchema = z
  .record(z.string(), scalar, 'an object')
  .superRefine((given, context) => {
    const names = Object.keys(given);
    const refuse = (message: string, path: string[] = []) =>
      context.addIssue({ code: 'custom', path, message });
    if (names.length > MAXIMUM_ARGUMENTS) refuse(`an object of up to ${MAXIMUM_ARGUMENTS} members`);
    if (names.some((name) => name.length > MAXIMUM_NAME_CHARACTERS))
      refuse(`an object whose names have up to ${MAXIMUM_NAME_CHARACTERS} characters`);
    const reserved = names.find((name) => RESERVED_NAMES.has(name));
    if (reserved !== undefined) refuse('left out, for it changes how the prompt is built', [reserved]);
  });
