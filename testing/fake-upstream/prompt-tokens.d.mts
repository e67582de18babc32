/** The parts of a chat request that its prompt is made of. */
export interface PromptBody {
  readonly messages?: readonly unknown[];
  readonly tools?: readonly unknown[] | null;
  readonly chat_template_kwargs?: unknown;
}

/** What the fake's chat template makes of a request. */
export function renderPrompt(body: PromptBody): string;

/** The tokens of a text: one per four characters, rounded up. */
export function countTextTokens(text: string): number;

/** What `usage.prompt_tokens` says of a chat request: the tokens of its rendered prompt and one to start it. */
export function countPromptTokens(body: PromptBody): number;
