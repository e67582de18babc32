import { z } from 'zod';
import { taggedError } from '../parse-field.ts';

const string = z.string('a string');
const name = string.min(1, 'a name');
const answeredCall = 'the id of the tool call that it answers';

const textParts = [
  z.object({ type: z.literal('text'), text: string }),
  z.object({ type: z.literal('refusal'), refusal: string }),
] as const;

const imagePart = z.object({
  type: z.literal('image_url'),
  image_url: z.object(
    { url: string.describe('A base64 `data:` URL; nothing is fetched.') },
    'an object with `url`',
  ),
});

const filePart = z.object({
  type: z.literal('file'),
  file: z.object(
    {
      file_data: z.string('base64 data').nullish().describe('A base64 `data:` URL, or base64.'),
      file_id: string.nullish().describe('The id of a file of this stack, in place of `file_data`.'),
      filename: string.nullish(),
    },
    'an object with `file_data` or `file_id`',
  ),
});

/** A part of a system or assistant message. */
export const textPartSchema = z.discriminatedUnion('type', textParts, {
  error: taggedError({ kind: 'a content part', tags: 'text or refusal' }),
});

/** A part of a user or tool message. */
export const partSchema = z.discriminatedUnion('type', [...textParts, imagePart, filePart], {
  error: taggedError({ kind: 'a content part', tags: 'text, image_url or file' }),
});

/** An earlier call of the assistant. */
export const toolCallSchema = z.object(
  {
    id: string,
    function: z.object({ name, arguments: z.string('JSON text') }, 'an object with `name` and `arguments`'),
  },
  'a tool call',
);

/** A message with unchecked lists, which are parsed item by item. */
export const messageSchema = messageOf({ textPart: z.unknown(), part: z.unknown(), toolCall: z.unknown() });

/** A complete message, for the API description. */
export const wholeMessageSchema = messageOf({
  textPart: textPartSchema,
  part: partSchema,
  toolCall: toolCallSchema,
});

export type ChatMessage = z.infer<typeof messageSchema>;
export type ChatPart = z.infer<typeof partSchema>;

interface Items<TextPart, Part, ToolCall> {
  readonly textPart: TextPart;
  readonly part: Part;
  readonly toolCall: ToolCall;
}

function messageOf<TextPart extends z.ZodType, Part extends z.ZodType, ToolCall extends z.ZodType>(
  items: Items<TextPart, Part, ToolCall>,
) {
  const textContent = contentOf(items.textPart);
  const content = contentOf(items.part);
  return z.discriminatedUnion(
    'role',
    [
      z.object({ role: z.literal('system'), content: textContent }),
      z.object({ role: z.literal('developer'), content: textContent }),
      z.object({ role: z.literal('user'), content }),
      z.object({
        role: z.literal('assistant'),
        content: textContent,
        refusal: string.nullish(),
        tool_calls: z.array(items.toolCall, 'an array of tool calls').nullish(),
        function_call: z
          .object({ name, arguments: z.string('JSON text') }, 'an object with `name` and `arguments`')
          .nullish()
          .describe('The older form of one tool call.'),
      }),
      z.object({
        role: z.literal('tool'),
        content,
        tool_call_id: z.string(answeredCall).min(1, answeredCall),
      }),
    ],
    {
      error: taggedError({ kind: 'a message', tags: 'system, developer, user, assistant or tool' }),
    },
  );
}

function contentOf<Part extends z.ZodType>(part: Part) {
  return z.union([z.string(), z.array(part)], 'a string or an array of content parts').nullish();
}
