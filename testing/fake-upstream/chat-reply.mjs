import { countPromptTokens, countTextTokens, cutToTokens } from './prompt-tokens.mjs';

const DEFAULT_TEXT = 'Hello from the fake upstream.';
const DEFAULT_PIECE_CHARACTERS = 4;
const HUGE_EVENT_CHARACTERS = 8 * 1024 * 1024;
const FILLER = 'abcdefghijklmnopqrstuvwxyz ';

/** Stands for bytes that are not UTF-8. */
export const BAD_BYTES_MARK = '\uE000';

/** The content of a reply within its token limit: pieces of each kind, the finish and the usage. */
export function composeReply(body, plan, mode) {
  const limit = tokenLimit(body, mode);
  const fullText = replyText(plan, mode);
  const fullReasoning = plan.reasoning ?? '';
  const reasoning = cutToTokens(fullReasoning, limit);
  const text = cutToTokens(fullText, limit - countTextTokens(reasoning));
  const isCut = reasoning + text !== fullReasoning + fullText;
  const toolCalls = isCut ? [] : (plan.toolCalls ?? []).map(completeToolCall);
  return {
    reasoning,
    reasoningField: plan.reasoningField ?? 'reasoning_content',
    text,
    textPieces: textPieces({ plan, mode, text }),
    reasoningPieces: cut(reasoning, plan.pieceCharacters),
    toolCalls,
    toolFragments: toolFragments(toolCalls, plan),
    finishReason: plan.finishReason ?? finishReason(isCut, toolCalls),
    stopReason: plan.stopReason ?? null,
    usage: plan.usage ?? usageOf(body, reasoning + text, toolCalls),
  };
}

/** A huge event simulates a server that ignores limits. */
function tokenLimit(body, mode) {
  const limit = body.max_completion_tokens ?? body.max_tokens;
  return mode === 'huge-event' || limit == null ? Number.MAX_SAFE_INTEGER : limit;
}

function replyText(plan, mode) {
  if (mode === 'huge-event') return FILLER.repeat(Math.ceil(HUGE_EVENT_CHARACTERS / FILLER.length));
  const text = plannedText(plan);
  return mode === 'invalid-utf8' ? `${text.slice(0, 2)}${BAD_BYTES_MARK}${text.slice(2)}` : text;
}

function textPieces({ plan, mode, text }) {
  if (mode === 'huge-event') return [text];
  return Array.isArray(plan.text) && plan.text.join('') === text
    ? plan.text
    : cut(text, plan.pieceCharacters);
}

function plannedText({ text, pieceCount, pieceCharacters = DEFAULT_PIECE_CHARACTERS, toolCalls }) {
  if (Array.isArray(text)) return text.join('');
  if (text !== undefined) return text;
  if (pieceCount !== undefined) {
    const characters = pieceCount * pieceCharacters;
    return FILLER.repeat(Math.ceil(characters / FILLER.length)).slice(0, characters);
  }
  return toolCalls?.length ? '' : DEFAULT_TEXT;
}

function finishReason(isCut, toolCalls) {
  if (isCut) return 'length';
  return toolCalls.length > 0 ? 'tool_calls' : 'stop';
}

function usageOf(body, said, toolCalls) {
  const prompt = countPromptTokens(body);
  const called = toolCalls.map(({ function: { name, arguments: text } }) => name + text).join('');
  const completion = countTextTokens(said) + countTextTokens(called);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function completeToolCall({ id, name, arguments: given = {} }, index) {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return { id: id ?? `call_fake_${index}`, type: 'function', function: { name, arguments: text } };
}

/** Fragments call by call, or interleaved like servers that decode calls in parallel. */
function toolFragments(toolCalls, { interleaved = false, pieceCharacters }) {
  const lanes = toolCalls.map(({ id, type, function: called }, index) => [
    { index, id, type, function: { name: called.name, arguments: '' } },
    ...cut(called.arguments, pieceCharacters).map((text) => ({ index, function: { arguments: text } })),
  ]);
  if (!interleaved) return lanes.flat();
  const rounds = Math.max(0, ...lanes.map((lane) => lane.length));
  return Array.from({ length: rounds }, (_, round) =>
    lanes.flatMap((lane) => lane.slice(round, round + 1)),
  ).flat();
}

/** By whole characters: servers do not split surrogate pairs. */
function cut(text, pieceCharacters = DEFAULT_PIECE_CHARACTERS) {
  // Only such texts are worth a list of characters.
  const characters = /[\ud800-\udfff]/.test(text) ? Array.from(text) : undefined;
  const pieces = [];
  for (let start = 0; start < (characters ?? text).length; start += pieceCharacters) {
    const end = start + pieceCharacters;
    pieces.push(characters ? characters.slice(start, end).join('') : text.slice(start, end));
  }
  return pieces;
}
