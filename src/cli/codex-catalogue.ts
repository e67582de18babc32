import { MOST_OUTPUT_TOKENS } from '../text/text-limits.ts';

/** A model as Codex must know it. */
export interface CodexModel {
  readonly name: string;
  /** Tokens of prompt and answer together. */
  readonly contextWindow: number;
  readonly hasVision: boolean;
}

// Codex counts a little less than the model does, and the turn that fills the window is not counted yet.
const COMPACTED_FRACTION = 0.9;
// The part of a tool's output that Codex shows the model.
const TOOL_OUTPUT_TOKENS = 10_000;

/** The file of `model_catalog_json`: with it Codex knows the window, and sends half as much as for a model that it does not know. */
export function codexCatalogue({ name, contextWindow, hasVision }: CodexModel): object {
  const model = {
    slug: name,
    display_name: name,
    description: 'Served by Stackgate.',
    context_window: contextWindow,
    max_context_window: contextWindow,
    auto_compact_token_limit: Math.floor(promptRoom(contextWindow) * COMPACTED_FRACTION),
    base_instructions: INSTRUCTIONS,
    input_modalities: hasVision ? ['text', 'image'] : ['text'],
    apply_patch_tool_type: 'freeform',
    shell_type: 'shell_command',
    truncation_policy: { mode: 'tokens', limit: TOOL_OUTPUT_TOKENS },
    supported_reasoning_levels: [],
    supports_reasoning_summaries: true,
    supports_parallel_tool_calls: true,
    support_verbosity: false,
    experimental_supported_tools: [],
    visibility: 'list',
    supported_in_api: true,
    priority: 1,
  };
  return { models: [model] };
}

/** The longest prompt that is accepted: Codex names no limit for its answers, so the largest one is reserved. */
export function promptRoom(contextWindow: number): number {
  return Math.max(0, contextWindow - MOST_OUTPUT_TOKENS);
}

const INSTRUCTIONS = `You are a coding agent in a terminal. You work in the user's folder until what they asked for is done.

- Look before you change anything: list and read files with the shell. Prefer \`rg\` to \`grep\`.
- Change files with \`apply_patch\`, in small patches that match the text of the file exactly. Keep to the style of the code around.
- Do what was asked for and nothing else. Do not undo changes that you did not make. Do not commit unless you are told to.
- Run the tests or the program if there are any, and say so if you could not.
- When a command fails, read its output and try another way; do not repeat the same call.
- At the end say in a few sentences what you did, with the paths of the files.
`;
