import { isRecord, type JsonRecord } from '../../../lib/json-record.ts';
import type { Conversation, OutputForm, Sampling, Tool, ToolChoice } from '../../conversation.ts';
import { type AskedConversation, unreadConversation } from '../../passthrough.ts';
import { outputTokens } from '../../text-limits.ts';
import type { ScannedBody } from '../scanned-body.ts';
import { checkRequest } from './check-body.ts';
import { contentParts } from './content-parts.ts';
import type {
  ContentField,
  MessagesRequest,
  PromptFields,
  SamplingFields,
  ShortRequest,
} from './messages-request-schema.ts';
import { readTurns } from './turns.ts';

// Some clients put first a line that changes with every request: it would spoil the server's prefix cache.
const CHANGING_LINE = /^x-anthropic-billing-header:[^\n]*\n*/;

/** The conversation of a checked body. */
export function readConversation(fields: PromptFields, sampling: SamplingFields): Conversation {
  return {
    system: systemText(fields.system),
    turns: readTurns(fields.messages),
    ...readTools(fields),
    output: outputForm(fields.output_config?.format),
    sampling: readSampling(sampling),
    templateArguments: {},
  };
}

/** The conversation of a scanned body; turns and tools are parsed on first use. */
export function scannedConversation(request: ShortRequest, scanned: ScannedBody): AskedConversation {
  let whole: Pick<Conversation, 'turns' | 'tools' | 'toolChoice' | 'parallelToolCalls'> | undefined;
  const read = () => {
    whole ??= readLists(checkRequest(scanned.parsed()));
    return whole;
  };
  const isFree = request.tool_choice === null || request.tool_choice === undefined;
  const fields = {
    system: systemText(request.system),
    toolChoice: isFree ? ('auto' as const) : read().toolChoice,
    parallelToolCalls: isFree || read().parallelToolCalls,
    output: outputForm(request.output_config?.format),
    sampling: readSampling(request),
    templateArguments: {},
  };
  const { messages, tools, isLasting, lease, hash } = scanned.lists;
  return unreadConversation(fields, { messages, tools, isLasting, lease, hash, read });
}

function readLists(request: MessagesRequest) {
  return { turns: readTurns(request.messages), ...readTools(request) };
}

/** The system text: `undefined` if none was sent, empty if it was empty. */
function systemText(system: ContentField | null | undefined): string | undefined {
  if (system === undefined || system === null) return undefined;
  const texts = contentParts(system, 'system').flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts
    .map((text, index) => (index === 0 ? text.replace(CHANGING_LINE, '') : text))
    .filter((text) => text !== '')
    .join('\n\n');
}

function outputForm(format: unknown): OutputForm {
  if (!isRecord(format) || format.type !== 'json_schema' || !isRecord(format.schema)) return { type: 'text' };
  return { type: 'schema', name: 'output', schema: format.schema };
}

function readSampling(fields: SamplingFields): Sampling {
  const topK = fields.top_k ?? 0;
  return {
    maxTokens: outputTokens(fields.max_tokens),
    temperature: fields.temperature ?? undefined,
    topP: fields.top_p ?? undefined,
    // 0 and -1 mean no limit.
    topK: topK > 0 ? topK : undefined,
    // An empty sequence would end every answer at once.
    stop: (fields.stop_sequences ?? []).filter((sequence) => sequence !== ''),
    seed: undefined,
    presencePenalty: undefined,
    frequencyPenalty: undefined,
  };
}

/** The tools of a request, and the tool choice. */
export function readTools({
  tools,
  tool_choice: choice,
}: PromptFields): Pick<Conversation, 'tools' | 'toolChoice' | 'parallelToolCalls'> {
  const usable = (tools ?? []).flatMap(readTool);
  if (usable.length === 0) return { tools: [], toolChoice: 'auto', parallelToolCalls: true };
  return {
    tools: usable,
    toolChoice: toolChoice(choice, usable),
    parallelToolCalls: choice?.disable_parallel_tool_use !== true,
  };
}

function readTool({ name, description, input_schema: parameters, strict }: JsonRecord): readonly Tool[] {
  if (typeof name !== 'string' || !isRecord(parameters)) return [];
  return [
    {
      name,
      description: typeof description === 'string' ? description : undefined,
      parameters,
      strict: strict === true,
    },
  ];
}

// An unknown choice, or one of a tool that was left out, becomes `auto`.
function toolChoice(choice: PromptFields['tool_choice'], tools: readonly Tool[]): ToolChoice {
  switch (choice?.type) {
    case 'any':
      return 'required';
    case 'none':
      return 'none';
    case 'tool': {
      const tool = tools.find(({ name }) => name === choice.name);
      return tool === undefined ? 'auto' : { name: tool.name };
    }
    default:
      return 'auto';
  }
}
