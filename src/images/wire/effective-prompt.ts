import { Fault } from '../../faults/fault.ts';
import { isAbsent, refusal } from './check-fields.ts';

/** Code points of a prompt that count, unless the engine allows fewer. */
export const MAX_PROMPT_CHARACTERS = 2_000;

// Databases and most engines reject these.
const UNUSABLE = /\0|[\ud800-\udfff]/gu;

/** The prompt to paint: the request's, else the key's; truncated to what has an effect. */
export function effectivePrompt(
  value: unknown,
  keyPrompt: string | undefined,
  maxCharacters: number,
): string {
  if (!isAbsent(value) && typeof value !== 'string') {
    throw refusal('invalid-prompt', 'prompt', { wanted: 'a string', value });
  }
  const prompt = [value ?? '', keyPrompt ?? ''].map(usable).find((text) => text.trim() !== '');
  if (prompt !== undefined) return firstCodePoints(prompt, Math.min(maxCharacters, MAX_PROMPT_CHARACTERS));
  throw new Fault('missing-prompt', '`prompt` is missing or blank, and this key has no prompt of its own.', {
    param: 'prompt',
  });
}

function usable(prompt: string): string {
  return prompt.replace(UNUSABLE, '');
}

function firstCodePoints(text: string, count: number): string {
  // A code point is one or two code units.
  const units = text.slice(0, 2 * count);
  return [...units].slice(0, count).join('');
}
