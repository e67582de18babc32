import { loadClient, outcomesOf, printReport, readTask } from './client-report.mjs';
import { factsSchema, weather, weatherDescription, weatherSchema } from './weather-tool.mjs';

const task = readTask();
const { ChatAnthropic, ChatOpenAI } = loadClient(task);
const { HumanMessage, ToolMessage } = loadClient({ ...task, alias: '@langchain/core/messages' });
const shared = { model: task.slashedModel, apiKey: task.key, maxRetries: 0 };
const chat =
  ChatAnthropic === undefined
    ? new ChatOpenAI({
        ...shared,
        useResponsesApi: task.format === 'responses',
        configuration: { baseURL: `${task.url}/v1` },
      })
    : new ChatAnthropic({ ...shared, anthropicApiUrl: task.url });
const described = { name: 'weather', description: weatherDescription };
const tools = [{ type: 'function', function: { ...described, parameters: weatherSchema } }];

printReport(
  await outcomesOf(
    {},
    {
      whole: async () => summary(await chat.invoke('Say hello')),
      streamed: async () => summary(await gather(await chat.stream('Say hello'))),
      tools: () => roundTrip((model, messages) => model.invoke(messages)),
      streamedTools: () => roundTrip(async (model, messages) => gather(await model.stream(messages))),
      facts: () => chat.withStructuredOutput(factsSchema, { name: 'facts' }).invoke('Give the facts'),
      failed: () => chat.invoke('Fail at once'),
      broken: async () => summary(await gather(await chat.stream('Break midway'))),
    },
  ),
);

function summary({ text, usage_metadata: usage }) {
  return { text, input: usage.input_tokens, output: usage.output_tokens };
}

async function gather(stream) {
  let whole;
  for await (const chunk of stream) whole = whole === undefined ? chunk : whole.concat(chunk);
  return whole;
}

async function roundTrip(answer) {
  const model = chat.bindTools(tools);
  const question = new HumanMessage('Compare the weather');
  const called = await answer(model, [question]);
  const results = called.tool_calls.map(
    ({ id, args }) => new ToolMessage({ tool_call_id: id, content: weather(args) }),
  );
  const { text } = await answer(model, [question, called, ...results]);
  return { text, calls: called.tool_calls.map(({ id, args }) => [id, args.city]) };
}
