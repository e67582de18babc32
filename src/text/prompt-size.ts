import type { Conversation } from './conversation.ts';

// What a chat template adds around one turn, and once around everything: generous, because it is only ever an upper bound.
const TURN_OVERHEAD_TOKENS = 16;
const TEMPLATE_OVERHEAD_TOKENS = 1_024;

/** An upper bound of the prompt's tokens, since a token is at least a byte; `undefined` where pictures make bytes say nothing. */
export function tokenBound(conversation: Conversation): number | undefined {
  let bytes = Buffer.byteLength(conversation.system ?? '') + TEMPLATE_OVERHEAD_TOKENS;
  for (const turn of conversation.turns) {
    bytes += TURN_OVERHEAD_TOKENS;
    if (turn.role === 'assistant') {
      bytes += Buffer.byteLength(turn.text) + jsonBytes(turn.toolCalls);
      continue;
    }
    for (const part of turn.parts) {
      if (part.type !== 'text') return undefined;
      bytes += Buffer.byteLength(part.text);
    }
  }
  return bytes + jsonBytes(conversation.tools) + jsonBytes(conversation.output);
}

function jsonBytes(value: unknown): number {
  return Array.isArray(value) && value.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(value));
}
