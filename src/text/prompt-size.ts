import type { Conversation, OutputForm } from './conversation.ts';
import type { AskedConversation, Passthrough } from './passthrough.ts';

// Tokens that a chat template adds to each turn. Generous, since it is only used as an upper bound.
const TURN_OVERHEAD_TOKENS = 16;
/** Tokens that a chat template adds once. */
export const TEMPLATE_OVERHEAD_TOKENS = 1_024;
// Typical for English text and JSON with common tokenizers, and for a picture with common models.
const BYTES_PER_TOKEN = 4;
const PICTURE_TOKENS = 1_000;

/** An upper bound of the prompt's tokens, since a token is at least one byte; `undefined` with pictures. */
export function tokenBound(conversation: Conversation): number | undefined {
  const { bytes, pictures } = sizeOf(conversation, undefined);
  if (pictures > 0) return undefined;
  return bytes + conversation.turns.length * TURN_OVERHEAD_TOKENS + TEMPLATE_OVERHEAD_TOKENS;
}

// The longest tokens of common vocabularies are runs of 128 spaces. JSON spends at most six bytes on one byte of text.
const MOST_BYTES_PER_TOKEN = 256 * 6;

/** A lower bound of the tokens of unparsed turns, unless nearly all of their JSON is space between values. */
export function leastTokens({ messages }: Passthrough): number {
  return Math.floor(messages.length / MOST_BYTES_PER_TOKEN);
}

/** Bytes of unparsed turns that are certainly more than so many tokens. */
export function bytesBeyond(tokens: number): number {
  return (tokens + 1) * MOST_BYTES_PER_TOKEN;
}

/** Estimates the tokens of a prompt that was not counted. */
export function estimatedTokens({ conversation, passthrough }: AskedConversation): number {
  const { bytes, pictures } = sizeOf(conversation, passthrough);
  return tokensOfBytes(bytes) + pictures * PICTURE_TOKENS;
}

/** Estimates the tokens of texts. */
export function estimatedTextTokens(texts: readonly string[]): number {
  return tokensOfBytes(texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0));
}

/** Estimates the tokens of so many bytes of text. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

function sizeOf(
  conversation: Conversation,
  passthrough: Passthrough | undefined,
): { bytes: number; pictures: number } {
  const { system, output } = conversation;
  if (passthrough !== undefined) {
    const others = Buffer.byteLength(system ?? '') + formBytes(output);
    return { bytes: passthrough.messages.length + passthrough.tools.length + others, pictures: 0 };
  }
  const { turns, tools } = conversation;
  let bytes = Buffer.byteLength(system ?? '') + jsonBytes(tools) + formBytes(output);
  let pictures = 0;
  for (const turn of turns) {
    if (turn.role === 'assistant') {
      bytes += Buffer.byteLength(turn.text) + jsonBytes(turn.toolCalls);
      continue;
    }
    for (const part of turn.parts) {
      if (part.type === 'text') bytes += Buffer.byteLength(part.text);
      else pictures++;
    }
  }
  return { bytes, pictures };
}

/** Bytes that the output form adds to a prompt: some engines show the schema to the model. */
function formBytes(output: OutputForm): number {
  return output.type === 'text' ? 0 : jsonBytes(output);
}

function jsonBytes(value: unknown): number {
  return Array.isArray(value) && value.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(value));
}
