import { isRecord, type JsonRecord } from '../../../lib/json-record.ts';
import type { Conversation, Tool, ToolChoice } from '../../conversation.ts';
import type { PromptFields } from './messages-request-schema.ts';

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
