// The bare binding with the engine's settings: reads a prompt and writes an answer per line of input.
import { createInterface } from 'node:readline';
import { getLlama, LlamaLogLevel } from 'node-llama-cpp';

const { modelPath, contextSize, sequences, sampling } = JSON.parse(process.argv[2]);
const llama = await getLlama({
  gpu: false,
  build: 'never',
  skipDownload: true,
  maxThreads: 1,
  logLevel: LlamaLogLevel.error,
});
const model = await llama.loadModel({
  modelPath,
  // The engine's window of 16,384.
  metadataOverrides: {
    llama: {
      context_length: 16_384,
      rope: { scaling: { type: 'yarn', factor: 2 + 1e-9, original_context_length: 8_192 } },
    },
  },
});
const made = await Promise.all(
  Array.from({ length: sequences }, async () => {
    const context = await model.createContext({ contextSize, sequences: 1, batchSize: 256, threads: 1 });
    return context.getSequence();
  }),
);
console.log(JSON.stringify({ ready: true }));

for await (const line of createInterface({ input: process.stdin })) {
  const { texts, maxTokens } = JSON.parse(line);
  const prompts = texts.map((text) => model.tokenize(text, true));
  for (const sequence of made) await sequence.clearHistory();
  const before = process.cpuUsage();
  const counts = await Promise.all(prompts.map((prompt, index) => write(made[index], prompt, maxTokens)));
  const { user, system } = process.cpuUsage(before);
  const written = counts.reduce((total, one) => total + one, 0);
  const read = prompts.reduce((total, { length }) => total + length, 0);
  console.log(JSON.stringify({ cpuSeconds: (user + system) / 1e6, written, read }));
}

async function write(sequence, prompt, maxTokens) {
  const tokens = [];
  const options = {
    ...sampling,
    repeatPenalty: { ...sampling.repeatPenalty, punishTokens: () => tokens.slice(-256) },
  };
  for await (const token of sequence.evaluate(prompt, options)) {
    tokens.push(token);
    model.detokenize([token]);
    if (tokens.length >= maxTokens) break;
  }
  return tokens.length;
}
