/** The parts of a chat request that its prompt consists of. */
export interface PromptBody {
  readonly messages?: readonly unknown[];
  readonly tools?: readonly unknown[] | null;
  readonly chat_template_kwargs?: unknown;
}

/** Renders a request with the fake's chat template. */
export function renderPrompt(body: PromptBody): string;

/** The tokens of a text: one per four characters, rounded up. */
export function countTextTokens(text: string): number;

/** The `usage.prompt_tokens` of a chat request: the tokens of its rendered prompt and one start token. */
export function countPromptTokens(body: PromptBody): number;
