import { Fault } from '../../../faults/fault.ts';
import { SchemaRefused } from '../../../schema/schema-refused.ts';
import type { Conversation, OutputForm, Tool } from '../../conversation.ts';
import {
  type CallGrammar,
  callEndMark,
  callMark,
  callMiddle,
  callOpening,
  grammarText,
  type OutputGrammar,
} from './output-grammar.ts';
import { renameRules } from './rename-rules.ts';

/** Compiles a JSON Schema to a grammar; throws SchemaRefused. */
export type CompileGrammar = (schema: unknown) => Promise<string>;

/** Maximum number of tool calls in one answer. */
export const MAX_CALLS = 8;
const ANY_OBJECT = { type: 'object' } as const;

/** Builds the grammars for a conversation's output form and tools; throws a fault if a schema cannot be compiled. */
export async function buildOutputGrammar(
  conversation: Conversation,
  compile: CompileGrammar,
): Promise<OutputGrammar> {
  const tools = callableTools(conversation);
  const output = await outputGrammar(conversation.output, compile);
  if (tools.length === 0) return output === undefined ? {} : { whole: `root ::= out-root\n${output}` };
  const calls = await callGrammar(tools, { compile, several: maySeveralCome(conversation) });
  if (conversation.toolChoice !== 'auto')
    return { whole: `root ::= ${firstCall(calls)}\n${calls.rules}`, calls };
  if (output === undefined) return { calls };
  return { whole: `root ::= out-root | ${firstCall(calls)}\n${output}${calls.rules}`, calls };
}

/** The tools that may be called in the answer. */
export function callableTools({ tools, toolChoice }: Conversation): readonly Tool[] {
  if (toolChoice === 'none') return [];
  return typeof toolChoice === 'object' ? tools.filter(({ name }) => name === toolChoice.name) : tools;
}

/** A tool that the request names is called once. */
function maySeveralCome({ parallelToolCalls, toolChoice }: Conversation): boolean {
  return parallelToolCalls && typeof toolChoice === 'string';
}

async function outputGrammar(output: OutputForm, compile: CompileGrammar): Promise<string | undefined> {
  if (output.type === 'text') return undefined;
  const schema = output.type === 'json' ? ANY_OBJECT : output.schema;
  const compiled = await compileOrRefuse(compile(schema), 'response_format', 'The schema');
  return renameRules(compiled, 'out-');
}

async function callGrammar(
  tools: readonly Tool[],
  { compile, several }: { compile: CompileGrammar; several: boolean },
): Promise<CallGrammar> {
  const rules: string[] = [];
  for (const [index, { name, parameters }] of tools.entries()) {
    const schema = { ...ANY_OBJECT, ...parameters };
    const what = `The parameters of the tool "${name}"`;
    const compiled = await compileOrRefuse(compile(schema), 'tools', what);
    rules.push(`tool-${index} ::= ${grammarText(jsonInner(name) + callMiddle)} tool-${index}-root "}"`);
    rules.push(renameRules(compiled, `tool-${index}-`).trimEnd());
  }
  const end = grammarText(`\n${callEndMark}`);
  rules.push(`call-tool ::= ${tools.map((_, index) => `tool-${index}`).join(' | ')}`);
  rules.push(`call-rest ::= call-tool ${end}`);
  rules.push(`call-next ::= ${grammarText(`\n${callMark}${callOpening}`)} call-rest`);
  rules.push(`call-more ::= call-next{0,${MAX_CALLS - 1}}`);
  return { rules: `${rules.join('\n')}\n`, rest: 'call-rest', ...(several && { more: 'call-more' }) };
}

function firstCall({ rest, more }: CallGrammar): string {
  const opening = grammarText(`${callMark}${callOpening}`);
  return more === undefined ? `${opening} ${rest}` : `${opening} ${rest} ${more}`;
}

async function compileOrRefuse(compiled: Promise<string>, param: string, what: string): Promise<string> {
  try {
    return await compiled;
  } catch (error) {
    if (!(error instanceof SchemaRefused)) throw error;
    const place = error.path === '' ? '' : ` at ${error.path}`;
    throw new Fault('invalid-request', `${what} cannot be followed${place}: ${error.message}`, {
      param,
      cause: error,
    });
  }
}

function jsonInner(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
