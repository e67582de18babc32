import { isRecord } from '../../../lib/json-record.ts';
import type { Conversation, OutputForm, Sampling } from '../../conversation.ts';
import { type AskedConversation, unreadConversation } from '../../passthrough.ts';
import { outputTokens } from '../../text-limits.ts';
import type { ScannedBody } from '../scanned-body.ts';
import { checkRequest } from './check-body.ts';
import type {
  MessagesRequest,
  PromptFields,
  SamplingFields,
  ShortRequest,
} from './messages-request-schema.ts';
import { systemText } from './system-text.ts';
import { readTools } from './tool-fields.ts';
import { readTurns } from './turns.ts';

/** The conversation that a checked body asks for. */
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

/** The same of a scanned body: its turns and tools are read when somebody asks for them. */
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
  const { messages, tools, isLasting } = scanned.lists;
  return unreadConversation(fields, { messages, tools, isLasting, read });
}

function readLists(request: MessagesRequest) {
  return { turns: readTurns(request.messages), ...readTools(request) };
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
    // 0 and -1 are ways to say "all".
    topK: topK > 0 ? topK : undefined,
    // An empty sequence would end every answer before its first word.
    stop: (fields.stop_sequences ?? []).filter((sequence) => sequence !== ''),
    seed: undefined,
    presencePenalty: undefined,
    frequencyPenalty: undefined,
  };
}
