import { loadClient, outcomeOf, printReport, readTask } from './client-report.mjs';

const task = readTask();
const sdk = loadClient(task);
const client = new sdk.OpenAI({ apiKey: task.key, baseURL: `${task.url}/v1` });
const model = 'universal-sentence-encoder-lite';

printReport({
  several: await outcomeOf(sdk, () => embed({ model, input: ['How old are you?', 'What is your age?'] })),
  numbers: await outcomeOf(sdk, () => embed({ model, input: 'How old are you?', encoding_format: 'float' })),
  unknown: await outcomeOf(sdk, () => embed({ model: 'no-such-model', input: 'a' })),
});

/** Without a format the client requests base64 and decodes it. */
async function embed(request) {
  const { data, usage } = await client.embeddings.create(request);
  const lengths = data.map(({ embedding }) => Math.hypot(...embedding));
  return {
    dimensions: data.map(({ embedding }) => embedding.length),
    areUnits: lengths.every((length) => Math.abs(length - 1) < 0.001),
    tokens: usage.prompt_tokens,
  };
}
