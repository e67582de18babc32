import { loadClient, outcomesOf, printReport, readTask } from '../clients/client-report.mjs';
import { weather, weatherDescription, weatherSchema } from '../clients/weather-tool.mjs';

const task = readTask();
const sdk = loadClient(task);
const { OpenAI } = loadClient({ ...task, alias: 'openai' });
sdk.setDefaultOpenAIClient(new OpenAI({ apiKey: task.key, baseURL: `${task.url}/v1`, maxRetries: 0 }));
sdk.setTracingDisabled(true);
const agent = new sdk.Agent({
  name: 'Helper',
  instructions: 'Be brief.',
  model: task.slashedModel,
  tools: [
    sdk.tool({
      name: 'weather',
      description: weatherDescription,
      parameters: weatherSchema,
      execute: async (city) => weather(city),
    }),
  ],
});

printReport(
  await outcomesOf(
    {},
    {
      whole: async () => (await sdk.run(agent, 'Say hello')).finalOutput,
      streamed: () => stream('Say hello'),
      tools: async () => (await sdk.run(agent, 'Compare the weather')).finalOutput,
      streamedTools: () => stream('Compare the weather'),
      failed: () => sdk.run(agent, 'Fail at once'),
      followUp,
    },
  ),
);

async function stream(question) {
  const result = await sdk.run(agent, question, { stream: true });
  let text = '';
  for await (const piece of result.toTextStream({ compatibleWithNodeStreams: true })) text += piece;
  await result.completed;
  return text;
}

/** The second run sends only what is new, also inside its tool loop. */
async function followUp() {
  const { lastResponseId: previousResponseId } = await sdk.run(agent, 'Say hello');
  return (await sdk.run(agent, 'Compare the weather', { previousResponseId })).finalOutput;
}
