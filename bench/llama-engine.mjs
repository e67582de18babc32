import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../.cache', import.meta.url));
const FETCH_MS = 300_000;
const never = new AbortController().signal;

/** The default model, fetched into `.cache/models` if missing, in an engine like a gateway's; with its adapter unless `config` says otherwise. */
export async function openDefaultModel(config = {}) {
  const { ModelStore } = await import('../dist/catalogue/model-store.js');
  const { DEFAULT_TEXT_MODEL } = await import('../dist/catalogue/catalogue-data.js');
  const store = new ModelStore({ dataDir: cache, environment: process.env });
  let installed;
  try {
    installed = await store.install(DEFAULT_TEXT_MODEL, { signal: AbortSignal.timeout(FETCH_MS) });
  } catch (error) {
    return { reason: `the model cannot be fetched: ${error.message}`, close: async () => {} };
  }
  const [{ path: modelPath }] = installed.files;
  const { CatalogueModelFile } = await import('../dist/text/engines/llama/catalogue-model-file.js');
  const state = { state: 'ready', model: installed };
  const fetch = { stateOf: () => state, ready: async () => installed };
  const { adapter = 'built-in' } = config;
  const isAdapted = adapter === 'built-in';
  const file = new CatalogueModelFile({ model: installed.name, entry: installed.entry, fetch, isAdapted });
  return openEngine({ name: installed.name, file, modelPath, config: { ...config, adapter } });
}

/** A model file given by path. */
export function openModelFile(modelPath, config = {}) {
  const file = {
    sampling: { temperature: 0.7 },
    longestContext: undefined,
    path: async () => modelPath,
    wait: undefined,
    hasFailed: false,
  };
  return openEngine({ name: 'own', file, modelPath, config });
}

async function openEngine({ name, file, modelPath, config }) {
  const { LlamaEngine } = await import('../dist/text/engines/llama/llama-engine.js');
  const { compileSchema } = await import('@stackgate/json-schema-grammar');
  const { ReplySink } = await import('../dist/text/reply.js');
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-bench-'));
  const engine = new LlamaEngine({
    config: {
      kind: 'llama',
      model: name,
      threads: 1,
      sequences: 4,
      contextWindow: 16_384,
      idlePauseMinutes: 0,
      adapter: 'none',
      ...config,
    },
    file,
    compileGrammar: async (schema) => compileSchema(schema).grammar,
    folder,
    log: { warn: console.warn },
  });
  await engine.lifecycle.ready(never);
  const replyTo = async (conversation, signal) => {
    const sink = new ReplySink();
    return await sink.reply(engine.ask(conversation, { countFirst: false }, sink), signal);
  };
  return {
    engine,
    modelPath,
    replyTo,
    async ask(conversation) {
      const reply = await replyTo(conversation, never);
      return { ...reply, text: reply.blocks.map(({ text }) => text).join('') };
    },
    async close() {
      await engine.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A conversation of one question, or of given turns. */
export function conversationOf(question, sampling = {}, others = {}) {
  const turns = Array.isArray(question)
    ? question
    : [{ role: 'user', parts: [{ type: 'text', text: question }] }];
  return {
    system: undefined,
    turns,
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
    output: { type: 'text' },
    templateArguments: {},
    ...others,
    sampling: {
      maxTokens: 200,
      temperature: undefined,
      topP: 1,
      topK: undefined,
      stop: [],
      seed: 1,
      presencePenalty: undefined,
      frequencyPenalty: undefined,
      ...sampling,
    },
  };
}
