import { loadClient, outcomesOf, printReport, readTask } from './client-report.mjs';
import { factsSchema, weather, weatherDescription, weatherSchema } from './weather-tool.mjs';

const task = readTask();
const sdk = loadClient({ ...task, alias: 'ai' });
const model = modelOf(loadClient(task));
const tools = {
  weather: sdk.tool({
    description: weatherDescription,
    inputSchema: sdk.jsonSchema(weatherSchema),
    execute: async (city) => weather(city),
  }),
};
// The responses model expects its items to be stored, unless it is told that they are not.
const providerOptions = task.store === undefined ? {} : { openai: { store: task.store === 'true' } };
const asking = (prompt) => ({ model, prompt, maxRetries: 0, providerOptions });
const comparing = { ...asking('Compare the weather'), tools, stopWhen: sdk.isStepCount(3) };

printReport(
  await outcomesOf(sdk, {
    whole: async () => summary(await sdk.generateText(asking('Say hello'))),
    streamed: () => stream(asking('Say hello')),
    tools: async () => told(await sdk.generateText(comparing)),
    streamedTools: async () => {
      const result = sdk.streamText(comparing);
      return told({ text: await result.text, steps: await result.steps });
    },
    facts: async () => {
      const schema = sdk.jsonSchema(factsSchema);
      return (await sdk.generateObject({ ...asking('Give the facts'), schema })).object;
    },
    failed: () => sdk.generateText(asking('Fail at once')),
    broken: () => stream(asking('Break midway')),
    ...(task.format === 'responses' && { followUp: () => followUp(['Think first', 'Say hello']) }),
  }),
);

function modelOf({ createAnthropic, createOpenAI, createOpenAICompatible }) {
  const address = { apiKey: task.key, baseURL: `${task.url}/v1` };
  if (createOpenAI !== undefined) return createOpenAI(address)(task.slashedModel);
  return createAnthropic === undefined
    ? createOpenAICompatible({ ...address, name: 'gate', includeUsage: true })(task.slashedModel)
    : createAnthropic(address)(task.slashedModel);
}

function summary({ text, finishReason: finish, usage }) {
  return { text, finish, input: usage.inputTokens, output: usage.outputTokens };
}

function told({ text, steps }) {
  return { text, calls: steps[0].toolCalls.map(({ toolCallId, input }) => [toolCallId, input.city]) };
}

/** Asks one question after the other in the same conversation; the answers. */
async function followUp(questions) {
  const messages = [];
  const texts = [];
  for (const content of questions) {
    messages.push({ role: 'user', content });
    const { prompt: _, ...request } = asking('');
    const { text, response } = await sdk.generateText({ ...request, messages });
    messages.push(...response.messages);
    texts.push(text);
  }
  return texts;
}

async function stream(request) {
  const errors = [];
  const result = sdk.streamText({ ...request, onError: ({ error }) => errors.push(error) });
  let text = '';
  for await (const piece of result.textStream) text += piece;
  if (errors.length > 0) return { hasText: text !== '', errors: errors.length };
  return { ...summary({ text, finishReason: await result.finishReason, usage: await result.usage }) };
}
