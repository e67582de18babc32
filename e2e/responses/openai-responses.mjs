import { readFileSync } from 'node:fs';
import { loadClient, outcomesOf, printReport, readTask } from '../clients/client-report.mjs';
import { factsSchema, weather, weatherDescription, weatherSchema } from '../clients/weather-tool.mjs';

const task = readTask();
const sdk = loadClient(task);
const client = new sdk.OpenAI({ apiKey: task.key, baseURL: `${task.url}/v1`, maxRetries: 0 });
const { responses } = client;
const asking = (input) => ({ model: task.plainModel, input });
const tools = [
  { type: 'function', name: 'weather', description: weatherDescription, parameters: weatherSchema },
];
const format = { type: 'json_schema', name: 'facts', strict: true, schema: factsSchema };

printReport(
  await outcomesOf(sdk, {
    whole: async () => summary(await responses.create(asking('Say hello'))),
    streamed: () => iterate(asking('Say hello')),
    helper: async () => summary(await responses.stream(asking('Say hello')).finalResponse()),
    tools: () => roundTrip((request) => responses.create(request)),
    streamedTools: () => roundTrip((request) => responses.stream(request).finalResponse()),
    facts: async () => {
      const asked = { ...asking('Give the facts'), text: { format } };
      return JSON.parse((await responses.stream(asked).finalResponse()).output_text);
    },
    thoughts: () => thoughts({}),
    summarised: () => thoughts({ reasoning: { summary: 'auto' } }),
    counted: async () => (await responses.inputTokens.count(asking('Say hello'))).input_tokens,
    failed: async () => summary(await responses.create(asking('Fail at once'))),
    broken: async () => {
      const { status, error } = await responses.stream(asking('Break midway')).finalResponse();
      return { status, code: error.code };
    },
    unknownModel: () => responses.create({ ...asking('Say hello'), model: 'no-such-model' }),
    followUp,
    accumulated: () => Promise.all(JSON.parse(readFileSync(task.streams, 'utf8')).map(accumulate)),
    searched: async () => {
      const { output } = await hosted('Search the handbook', [
        { type: 'file_search', vector_store_ids: ['any'] },
      ]);
      const { annotations } = output[1].content[0];
      return { types: output.map(({ type }) => type), found: output[0].results[0].filename, annotations };
    },
    shown: async () => {
      const asked = {
        ...asking('Say hello to each employee with days of leave in a year'),
        include: ['knowledge'],
      };
      const reader = readerOf(task);
      const answers = [
        await reader.responses.create(asked),
        await reader.responses.stream(asked).finalResponse(),
      ];
      return answers.map(({ knowledge }) => knowledge.map(({ document }) => document));
    },
    painted: async () => {
      const { output } = await hosted('Paint a fox', [{ type: 'image_generation' }]);
      return { types: output.map(({ type }) => type), picture: output[0].result.slice(0, 8) };
    },
  }),
);

function readerOf({ hostedKey, url }) {
  return new sdk.OpenAI({ apiKey: hostedKey, baseURL: `${url}/v1`, maxRetries: 0 });
}

function summary({ model, status, output_text: text, usage }) {
  return { model, status, text, input: usage.input_tokens, output: usage.output_tokens };
}

async function iterate(request) {
  const events = [];
  for await (const event of await responses.create({ ...request, stream: true })) events.push(event);
  const deltas = events.filter(({ type }) => type === 'response.output_text.delta');
  const { response } = events.at(-1);
  return { ...summary(response), text: deltas.map(({ delta }) => delta).join('') };
}

async function roundTrip(answer) {
  const request = { ...asking([{ role: 'user', content: 'Compare the weather' }]), tools };
  const { output } = await answer(request);
  const calls = output.filter(({ type }) => type === 'function_call');
  const results = calls.map((call) => ({
    type: 'function_call_output',
    call_id: call.call_id,
    output: weather(JSON.parse(call.arguments)),
  }));
  const told = await answer({ ...request, input: [...request.input, ...output, ...results] });
  const places = calls.map((call) => [call.call_id, JSON.parse(call.arguments).city]);
  return { text: told.output_text, calls: places };
}

async function thoughts(more) {
  const { output } = await responses.stream({ ...asking('Think first'), ...more }).finalResponse();
  return output.map(({ type, content, summary: told }) => [
    type,
    [...(told ?? []), ...(content ?? [])][0].text,
  ]);
}

/** Asks with the tools that the gateway runs; the response must be the same when it is read again. */
async function hosted(question, hostedTools) {
  const reader = readerOf(task);
  const request = { ...asking(question), tools: hostedTools, include: ['file_search_call.results'] };
  const { id, output } = await reader.responses.stream(request).finalResponse();
  const kept = await reader.responses.retrieve(id);
  if (kept.output.length !== output.length) throw new Error('the response was kept with other items');
  return { output };
}

async function followUp() {
  const first = await responses.create(asking('Say hello'));
  const second = await responses.create({ ...asking('Think first'), previous_response_id: first.id });
  const items = [];
  for await (const item of responses.inputItems.list(second.id)) items.push(item.type);
  const { output_text: text } = await responses.retrieve(second.id);
  return { text, items };
}

/** Has the SDK read a stream: the response of the last event, and the items and texts that the other events add up to. */
async function accumulate(stream) {
  const deltas = {};
  const runner = streamOf(stream);
  for (const type of ['response.output_text.delta', 'response.function_call_arguments.delta'])
    runner.on(type, ({ item_id: id, snapshot }) => {
      deltas[id] = snapshot;
    });
  const response = await runner.finalResponse();
  const events = stream.split(/(?<=\n\n)/);
  const { output } = await streamOf(events.slice(0, -1).join('')).finalResponse();
  return JSON.parse(JSON.stringify({ response, output, deltas }, asSent));
}

function streamOf(stream) {
  const headers = { 'content-type': 'text/event-stream' };
  const fetch = async () => new Response(stream, { headers });
  return new sdk.OpenAI({ apiKey: task.key, fetch }).responses.stream(asking('anything'));
}

/** Leaves out what the SDK adds to a response. */
function asSent(name, value) {
  return ['output_text', 'output_parsed', 'parsed', 'parsed_arguments'].includes(name) ? undefined : value;
}
