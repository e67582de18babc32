import { judge, readDocuments } from './extraction-documents.mjs';
import { openDefaultModel, openModelFile } from './llama-engine.mjs';
import { treeCpuUs } from './process-tree.mjs';

const never = new AbortController().signal;
const PARTS = process.argv.includes('--dev') ? ['dev'] : ['dev', 'held-out'];

/** How many leaves of the documents in bench/extraction are right, by rules alone and with a model (`--model=PATH`, or the default one with `--model`). */
export async function run() {
  await measure('rules only', undefined);
  const path = modelPath();
  if (path === undefined) return console.log('with a model: skipped; give --model=PATH or --model');
  const model = await (path === '' ? openDefaultModel() : openModelFile(path));
  try {
    if (model.engine === undefined) console.log(`with a model: skipped, ${model.reason}`);
    else {
      await measure('with the model', model.engine);
      if (process.argv.includes('--direct')) await measure('model alone', model.engine, { alone: true });
    }
  } finally {
    await model.close();
  }
}

function cpuSeconds() {
  return treeCpuUs(process.pid) / 1e6;
}

function modelPath() {
  const argument = process.argv.find((one) => one === '--model' || one.startsWith('--model='));
  return argument?.slice('--model='.length);
}

async function measure(title, engine, { alone = false } = {}) {
  const { SchemaService } = await import('../dist/schema/service/schema-service.js');
  const schemas = new SchemaService();
  try {
    const extractor = await extractorOf(schemas, engine, alone);
    for (const part of PARTS) {
      const before = cpuSeconds();
      const documents = await readDocuments(part);
      const leaves = [];
      for (const document of documents) leaves.push(...(await extract(document, extractor, engine)));
      const seconds = cpuSeconds() - before;
      report(`${title}, ${part}`, leaves, documents.length / seconds);
    }
  } finally {
    await schemas.stop(never);
  }
}

async function extractorOf(schemas, engine, alone) {
  const { GroundedExtractor } = await import('../dist/documents/grounded/grounded-extractor.js');
  const { DirectExtractor } = await import('../dist/documents/direct/direct-extractor.js');
  const text = {
    check: async () => {},
    answer: async (_, ask) => {
      if (engine === undefined) throw new Error('no model was given');
      return engine.answer(ask.conversation, { signal: ask.signal, countFirst: false });
    },
  };
  const direct = new DirectExtractor({ text, schemas });
  return alone ? direct : new GroundedExtractor({ text, schemas, direct });
}

async function extract(document, extractor, engine) {
  const job = {
    caller: { stack: { systemPrompt: undefined } },
    engine: engine ?? { countTokens: async () => 0 },
    documents: [{ name: document.name, ocrUsed: false, pages: [{ text: document.text, lines: [] }] }],
    schema: document.schema,
    system: undefined,
    user: undefined,
    maxTokens: 1_000,
  };
  const { data } = await extractor.extract(job, never).catch(() => ({ data: {} }));
  const leaves = judge(document.expected, data);
  if (process.argv.includes('--misses')) showMisses(document, leaves);
  return leaves.map((leaf) => ({ ...leaf, kind: document.kind, language: document.language }));
}

function showMisses(document, leaves) {
  for (const { path, expected, actual, isRight } of leaves) {
    if (!isRight)
      console.log(`  ${document.name}${path}: ${JSON.stringify(actual)} for ${JSON.stringify(expected)}`);
  }
}

function report(title, leaves, documentsPerSecond) {
  console.log(
    `${title}: ${share(leaves)} of ${leaves.length} leaves right, ${documentsPerSecond.toFixed(2)} pages per CPU second`,
  );
  for (const property of ['kind', 'language']) {
    const names = [...new Set(leaves.map((leaf) => leaf[property]))].sort();
    console.log(
      `  ${names.map((name) => `${name} ${share(leaves.filter((leaf) => leaf[property] === name))}`).join(', ')}`,
    );
  }
}

function share(leaves) {
  const right = leaves.filter(({ isRight }) => isRight).length;
  return `${((100 * right) / leaves.length).toFixed(1)} %`;
}
