import { z } from 'zod';
import { Fault } from '../../faults/fault.ts';
import { isRecord } from '../../lib/json-record.ts';
import { MOST_OUTPUT_TOKENS } from '../../text/text-limits.ts';

/** HTML to print as it is, or an instruction for the model to write it. */
export type GenerateOrder =
  | { readonly mode: 'direct'; readonly html: string }
  | {
      readonly mode: 'instruction';
      readonly user: string;
      /** Replaces the stack's prompt if present. */
      readonly system: string | undefined;
      readonly maxTokens: number;
    };

const DEFAULT_TOKENS = 8_000;

/** The fields of a request, for the API description; `openGenerateRequest` validates them. */
export const generateRequestSchema = z.object({
  html: z
    .string()
    .nullish()
    .describe('Direct mode: the HTML to print. One of `html` and `user` is required.'),
  user: z
    .string()
    .nullish()
    .describe('Instruction mode: what the document shall be; the model writes the HTML.'),
  system: z.string().nullish().describe('Only with `user`: replaces the system prompt of the stack.'),
  max_tokens: z
    .int()
    .min(1)
    .max(MOST_OUTPUT_TOKENS)
    .nullish()
    .describe(
      `Only with \`user\`: the most tokens that the model may write; ${DEFAULT_TOKENS} where absent.`,
    ),
});

/** Parses a request. Fields of the other mode are ignored. */
export function openGenerateRequest(body: unknown): GenerateOrder {
  if (!isRecord(body)) {
    throw new Fault('invalid-request', 'The body must be an object with `html` or `user`.');
  }
  const html = textOf(body, 'html');
  const user = textOf(body, 'user');
  const isDirect = isGiven(html);
  if (isDirect === isGiven(user)) {
    const what = isDirect
      ? 'Both `html` and `user` were sent'
      : 'Neither `html` nor `user` was sent, or it is blank';
    throw new Fault(
      'invalid-request',
      `${what}; send exactly one: HTML to print, or what the model shall write.`,
    );
  }
  if (isGiven(html)) return { mode: 'direct', html };
  return {
    mode: 'instruction',
    user: user ?? '',
    system: textOf(body, 'system'),
    maxTokens: tokensOf(Reflect.get(body, 'max_tokens')),
  };
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

/** SDKs send `null` for omitted fields. */
function textOf(body: object, name: string): string | undefined {
  const value: unknown = Reflect.get(body, name);
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  throw new Fault('invalid-request', `\`${name}\` must be a string, got ${describe(value)}.`, {
    param: name,
  });
}

function tokensOf(value: unknown): number {
  if (value === undefined || value === null) return DEFAULT_TOKENS;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MOST_OUTPUT_TOKENS)
    return value;
  throw new Fault(
    'max-tokens-out-of-range',
    `\`max_tokens\` must be an integer from 1 to ${MOST_OUTPUT_TOKENS}, got ${describe(value)}.`,
    { param: 'max_tokens' },
  );
}

function describe(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return 'a string';
  return Array.isArray(value) ? 'an array' : 'an object';
}
