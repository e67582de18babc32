import { z } from 'zod';
import { askForEvents, askForJson, type ClientTarget } from './client-connection.ts';
import type { Finding } from './finding.ts';
import { checkResponsesStream, responseSchema } from './responses-grammar.ts';
import { checkChatStream, checkMessagesStream, match } from './stream-grammar.ts';

const WORDS = 'Answer with the one word: ready';
const QUESTION = [{ role: 'user', content: WORDS }];
const TOOL = {
  type: 'function',
  name: 'report',
  description: 'Reports whether you are ready.',
  parameters: {
    type: 'object',
    properties: { ready: { type: 'boolean' } },
    required: ['ready'],
    additionalProperties: false,
  },
};
const MAX_TOKENS = 8000;

const modelsSchema = z.object({
  object: z.literal('list'),
  data: z.array(z.object({ id: z.string(), object: z.literal('model') })),
});
const completionSchema = z.object({
  object: z.literal('chat.completion'),
  choices: z.tuple([
    z.object({
      message: z.object({ role: z.literal('assistant'), content: z.string() }),
      finish_reason: z.string(),
    }),
  ]),
  usage: z.object({ prompt_tokens: z.int().positive(), completion_tokens: z.int() }),
});
const messageSchema = z.object({
  type: z.literal('message'),
  role: z.literal('assistant'),
  content: z.array(z.object({ type: z.string() })),
  stop_reason: z.string(),
  usage: z.object({ input_tokens: z.int().positive(), output_tokens: z.int() }),
});
const callSchema = z.object({
  type: z.literal('function_call'),
  call_id: z.string(),
  name: z.literal(TOOL.name),
  arguments: z.string(),
});
const countSchema = z.object({ input_tokens: z.int() });

/** Calls a gateway like clients do. Never throws: problems are findings. */
export async function checkClients(target: ClientTarget): Promise<readonly Finding[]> {
  let model: string | undefined;
  const models = await find('models', async () => {
    const { data } = match(modelsSchema, await askForJson(target, '/v1/models'));
    model = data[0]?.id;
    if (model === undefined) throw new Error('the list is empty');
    return data.map(({ id }) => id).join(', ');
  });
  // Without a model there is nothing to ask for.
  if (model === undefined) return [models];
  return [
    models,
    ...(await checkChat(target, model)),
    ...(await checkMessages(target, model)),
    ...(await checkResponses(target, model)),
  ];
}

async function checkChat(target: ClientTarget, model: string): Promise<readonly Finding[]> {
  const path = '/v1/chat/completions';
  const body = { model, max_tokens: MAX_TOKENS, messages: QUESTION };
  let promptTokens: number | undefined;
  const whole = await find('chat', async () => {
    const { usage } = match(completionSchema, await askForJson(target, path, body));
    promptTokens = usage.prompt_tokens;
    return tokens(usage.prompt_tokens, usage.completion_tokens);
  });
  const streamed = await find('chat stream', async () => {
    const asked = { ...body, stream: true, stream_options: { include_usage: true } };
    const { inputTokens, outputTokens } = checkChatStream(await askForEvents(target, path, asked));
    agree('the usage of the whole answer', promptTokens, inputTokens);
    return tokens(inputTokens, outputTokens);
  });
  return [whole, streamed];
}

async function checkMessages(target: ClientTarget, model: string): Promise<readonly Finding[]> {
  const path = '/v1/messages';
  const body = { model, messages: QUESTION };
  const limited = { ...body, max_tokens: MAX_TOKENS };
  let inputTokens: number | undefined;
  const whole = await find('messages', async () => {
    const { usage } = match(messageSchema, await askForJson(target, path, limited));
    inputTokens = usage.input_tokens;
    return tokens(usage.input_tokens, usage.output_tokens);
  });
  const streamed = await find('messages stream', async () => {
    const summary = checkMessagesStream(await askForEvents(target, path, { ...limited, stream: true }));
    agree('the usage of the whole answer', inputTokens, summary.inputTokens);
    return tokens(summary.inputTokens, summary.outputTokens);
  });
  const counted = await find('count_tokens', async () => {
    const count = match(countSchema, await askForJson(target, `${path}/count_tokens`, body));
    agree('the usage of the same message', inputTokens, count.input_tokens);
    return `${count.input_tokens} tokens, as in the usage`;
  });
  return [whole, streamed, counted];
}

async function checkResponses(target: ClientTarget, model: string): Promise<readonly Finding[]> {
  const path = '/v1/responses';
  const body = { model, input: WORDS };
  const unstored = { ...body, store: false };
  let inputTokens: number | undefined;
  const whole = await find('responses', async () => {
    const { usage } = match(responseSchema, await askForJson(target, path, unstored));
    inputTokens = usage.input_tokens;
    return tokens(usage.input_tokens, usage.output_tokens);
  });
  const streamed = await find('responses stream', async () => {
    const summary = checkResponsesStream(await askForEvents(target, path, { ...unstored, stream: true }));
    agree('the usage of the whole answer', inputTokens, summary.inputTokens);
    return tokens(summary.inputTokens, summary.outputTokens);
  });
  const called = await find('responses tool', async () => {
    const input = 'Call the tool to report that you are ready.';
    const asked = { ...unstored, input, tools: [TOOL], tool_choice: { type: 'function', name: TOOL.name } };
    const { output } = match(responseSchema, await askForJson(target, path, asked));
    const { name, arguments: given } = match(callSchema, output.at(-1));
    return `${name}(${given})`;
  });
  const counted = await find('input_tokens', async () => {
    const count = match(countSchema, await askForJson(target, `${path}/input_tokens`, body));
    agree('the usage of the same response', inputTokens, count.input_tokens);
    return `${count.input_tokens} tokens, as in the usage`;
  });
  return [whole, streamed, called, counted];
}

/** A failed call is a finding of its own and not compared. */
function agree(what: string, expected: number | undefined, actual: number): void {
  if (expected !== undefined && expected !== actual)
    throw new Error(`${actual} input tokens, but ${expected} in ${what}`);
}

function tokens(input: number, output: number): string {
  return `${input} tokens in, ${output} out`;
}

async function find(check: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return { check, result: 'ok', message: await work() };
  } catch (error) {
    return { check, result: 'failure', message: error instanceof Error ? error.message : String(error) };
  }
}
