import { getLlama, LlamaLogLevel } from 'node-llama-cpp';

const WINDOW_TOKENS = 256;

/** How surprised a model file is by a text, read in windows: e to the mean of -log p of each token. */
export async function perplexityOf(modelPath, text, mostTokens) {
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    maxThreads: 1,
    logLevel: LlamaLogLevel.error,
  });
  const model = await llama.loadModel({ modelPath });
  const context = await model.createContext({ contextSize: 512, batchSize: WINDOW_TOKENS, threads: 1 });
  const sequence = context.getSequence();
  const tokens = model.tokenize(text).slice(0, mostTokens);
  let [total, count] = [0, 0];
  for (let start = 0; start < tokens.length; start += WINDOW_TOKENS) {
    const window = tokens.slice(start, start + WINDOW_TOKENS);
    await sequence.clearHistory();
    const told = await sequence.controlledEvaluate(
      window.map((token, index) => asked(token, window[index + 1])),
    );
    for (const [index, next] of window.slice(1).entries()) {
      total -= logProbability(told[index].next, next);
      count += 1;
    }
  }
  await llama.dispose();
  return Math.exp(total / count);
}

function asked(token, next) {
  if (next === undefined) return token;
  // `includeTop` brings the largest, to which the sum of all weights is relative.
  const logits = { filter: { tokens: [next], includeTop: 1 } };
  return [token, { generateNext: { logits, totalLogitWeight: true } }];
}

function logProbability({ logits, totalLogitWeight }, token) {
  return logits.get(token) - Math.max(...logits.values()) - Math.log(totalLogitWeight);
}
