// The fake's tokenizer: four characters are a token, and a prompt starts with one more. Being a function of the
// rendered prompt alone, every way to count gives what `usage.prompt_tokens` of the same request says.

const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_IMAGE = 64;
const IMAGE = '<|image|>'.padEnd(TOKENS_PER_IMAGE * CHARACTERS_PER_TOKEN, '#');

/** The token that a prompt starts with. */
const START_TOKENS = 1;

/**
 * Renders a request with a simple chat template.
 * @param {{ messages?: readonly any[], tools?: readonly any[] | null, chat_template_kwargs?: any }} body
 * @returns {string}
 */
export function renderPrompt({ messages = [], tools, chat_template_kwargs: templateArguments }) {
  const start = [
    templateArguments ? `<|arguments|>${JSON.stringify(templateArguments)}\n` : '',
    tools?.length ? `<|tools|>${JSON.stringify(tools)}\n` : '',
  ];
  return `${start.join('')}${messages.map(renderMessage).join('')}<|assistant|>`;
}

/**
 * @param {string} text
 * @returns {number}
 */
export function countTextTokens(text) {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

/**
 * The prompt tokens of a chat request.
 * @param {Parameters<typeof renderPrompt>[0]} body
 * @returns {number}
 */
export function countPromptTokens(body) {
  return START_TOKENS + countTextTokens(renderPrompt(body));
}

/**
 * Made-up token ids, as many as the text has tokens.
 * @param {string} text
 * @param {{ addStart: boolean }} options
 * @returns {number[]}
 */
export function tokenize(text, { addStart }) {
  const ids = Array.from(
    { length: countTextTokens(text) },
    (_, index) => 10 + (text.charCodeAt(index * 4) % 1_000),
  );
  return addStart ? [1, ...ids] : ids;
}

/** The part of a text that fits into so many tokens. */
export function cutToTokens(text, tokens) {
  return text.slice(0, tokens * CHARACTERS_PER_TOKEN);
}

function renderMessage({ role, content, tool_calls: toolCalls, tool_call_id: toolCallId }) {
  const called = toolCalls?.length ? JSON.stringify(toolCalls) : '';
  return `<|${role}${toolCallId ? ` ${toolCallId}` : ''}|>${renderContent(content)}${called}\n`;
}

function renderContent(content) {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : IMAGE)).join('');
}
