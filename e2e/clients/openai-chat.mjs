import { loadClient, outcomesOf, printReport, readTask } from './client-report.mjs';
import { factsSchema, weather, weatherDescription, weatherSchema } from './weather-tool.mjs';

const task = readTask();
const sdk = loadClient(task);
const client = new sdk.OpenAI({ apiKey: task.key, baseURL: `${task.url}/v1`, maxRetries: 0 });
const { completions } = client.chat;
// Version 4 has its helpers under `beta`.
const helpers = typeof completions.stream === 'function' ? completions : client.beta.chat.completions;
const asking = (text) => ({ model: task.plainModel, messages: [{ role: 'user', content: text }] });
const described = { name: 'weather', description: weatherDescription, parameters: weatherSchema };
const tools = [{ type: 'function', function: { ...described, strict: true } }];
const jsonSchema = { name: 'facts', strict: true, schema: factsSchema };

printReport(
  await outcomesOf(sdk, {
    whole: async () => summary(await completions.create(asking('Say hello'))),
    streamed: () => iterate(asking('Say hello')),
    streamedWithUsage: () => iterate({ ...asking('Say hello'), stream_options: { include_usage: true } }),
    helper: async () => summary(await helpers.stream(asking('Say hello')).finalChatCompletion()),
    toolCalls: async () => summary(await completions.create({ ...asking('Compare the weather'), tools })),
    streamedToolCalls: async () =>
      summary(await helpers.stream({ ...asking('Compare the weather'), tools }).finalChatCompletion()),
    runTools: () => helpers.runTools({ ...asking('Compare the weather'), tools: runnable() }).finalContent(),
    streamedRunTools: () =>
      helpers.runTools({ ...asking('Compare the weather'), tools: runnable(), stream: true }).finalContent(),
    parsed: () => parse(),
    stopped: async () => summary(await completions.create({ ...asking('Stop early'), stop: ['END'] })),
    streamedStopped: () => iterate({ ...asking('Stop early'), stop: 'END' }),
    thoughts: async () => summary(await completions.create(asking('Think first'))),
    failed: async () => summary(await completions.create(asking('Fail at once'))),
    streamedFailed: () => iterate(asking('Fail at once')),
    broken: () => iterate(asking('Break midway')),
    helperBroken: () => helpers.stream(asking('Break midway')).finalChatCompletion(),
    unknownModel: () => completions.create({ ...asking('Say hello'), model: 'no-such-model' }),
    badField: () => completions.create({ ...asking('Say hello'), temperature: 9 }),
    retried: () => retry(),
    shown: () => show({ ...asking(task.readerQuestion), include: ['knowledge'] }),
    left: () => leave(`Never end ${task.alias}`),
  }),
);

function summary({ model, choices: [{ message, finish_reason: finish }], usage, _request_id: requestId }) {
  const calls = message.tool_calls?.map((call) => [call.id, call.function.name, call.function.arguments]);
  // Beside calls a stream has an empty text, a whole answer none.
  return { model, role: message.role, text: message.content || null, calls, finish, usage, requestId };
}

/** The documents of the passages that come with an answer. */
async function show(request) {
  const reader = new sdk.OpenAI({ apiKey: task.readerKey, baseURL: `${task.url}/v1`, maxRetries: 0 });
  const { knowledge } = await reader.chat.completions.create(request);
  const chunks = [];
  for await (const chunk of await reader.chat.completions.create({ ...request, stream: true }))
    chunks.push(chunk);
  const streamed = chunks.flatMap((chunk) => chunk.knowledge ?? []);
  return [knowledge, streamed].map((passages) => passages.map(({ document }) => document));
}

async function iterate(request) {
  const chunks = [];
  for await (const chunk of await completions.create({ ...request, stream: true })) chunks.push(chunk);
  const choices = chunks.flatMap((chunk) => chunk.choices);
  return {
    role: choices[0].delta.role,
    text: choices.map(({ delta }) => delta.content ?? '').join(''),
    finishes: choices.map((choice) => choice.finish_reason).filter((finish) => finish !== null),
    usages: chunks.map((chunk) => chunk.usage).filter((usage) => usage != null),
    emptyChunks: chunks.filter((chunk) => chunk.choices.length === 0).length,
    ids: new Set(chunks.map(({ id }) => id)).size,
  };
}

function runnable() {
  return [{ type: 'function', function: { ...described, function: weather, parse: JSON.parse } }];
}

async function parse() {
  const format = { type: 'json_schema', json_schema: jsonSchema };
  const completion = await helpers.parse({ ...asking('Give the facts'), response_format: format });
  return completion.choices[0].message.parsed;
}

/** Loses the first answer, and asks again by itself. */
async function retry() {
  const answers = [];
  const losing = async (url, init) => {
    const answer = await fetch(url, init);
    answers.push({
      id: (await answer.clone().json()).id,
      replayed: answer.headers.get('idempotent-replayed'),
    });
    if (answers.length === 1) throw new TypeError('the connection was lost');
    return answer;
  };
  const retrying = new sdk.OpenAI({
    apiKey: task.key,
    baseURL: `${task.url}/v1`,
    maxRetries: 1,
    fetch: losing,
  });
  // The header is built in and has no name by default.
  retrying.idempotencyHeader = 'Idempotency-Key';
  await retrying.chat.completions.create(asking('Say hello'));
  return {
    ids: new Set(answers.map(({ id }) => id)).size,
    replayed: answers.map(({ replayed }) => replayed),
  };
}

async function leave(question) {
  const stream = await completions.create({ ...asking(question), stream: true });
  let text = '';
  for await (const chunk of stream) {
    text += chunk.choices[0].delta.content ?? '';
    if (text !== '') stream.controller.abort();
  }
  return { question, hasText: text !== '' };
}
