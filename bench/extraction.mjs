import { blankWriter } from './extraction-blanks.mjs';
import { judge, readDocuments } from './extraction-documents.mjs';
import { extractionJob } from './extraction-job.mjs';
import { openOwnReaders, openPeerReaders, plainReader } from './extraction-readers.mjs';
import { DEVELOPMENT, HELD_OUT } from './extraction-sets.mjs';
import { measureFullScan, measureLongScan, measureWorst } from './extraction-worst.mjs';
import { openDefaultModel, openModelFile } from './llama-engine.mjs';
import { networkAlone } from './network-alone.mjs';
import { treeCpuUs, treeRssMb } from './process-tree.mjs';

const never = new AbortController().signal;
const SAMPLE_MS = 100;
const MAX_TOKENS = 1_000;
/** Edges of the classes of probabilities. */
const SAID = [0, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.99];
/** Documents of each part that the model writes alone, which takes minutes; all with `--direct`. */
const MOST_WRITTEN = 3;
const isAsked = (option) => process.argv.includes(option);
const PARTS = isAsked('--dev') ? DEVELOPMENT : [...DEVELOPMENT, ...HELD_OUT];

/** Ways to find values; the first is that of the gateway. With a model there are two more: it writes everything itself, without and with `extraction.hints`. */
const WAYS = ['rules and network', 'rules alone', 'network alone'];

/**
 * How many leaves of the documents in bench/extraction are right, from their text in each of the `WAYS`, and from files of it; `--text` leaves the
 * files out, `--peers` adds other OCR, `--confidence` compares the probabilities with what was right, `--part=NAMES` takes only these folders of documents. `--hints` measures only what hints, and bars between columns, do for a model that writes everything (`--adapter=built-in`: the default one with its adapter), all documents with `--direct`. All of them are written for this benchmark; those in `languages-dev`, three in each of eight languages, are for development too. With a model (`--model=PATH`, or the default one with `--model`, as it comes with `--adapter=none`) also what it adds; with
 * `--worst` the cost of the worst documents, or with `--worst=WORDS` of those whose name has these words; with `--long-scan` the
 * cost of a scan until it is refused as too long; with `--full-scan` or `--full-scan=WORDS` the cost of the longest one that is
 * not refused, with the schemas of the worst documents.
 */
export async function run(options) {
  console.log('```text');
  try {
    await measureAll(options);
  } finally {
    console.log('```');
  }
}

async function measureAll({ quick }) {
  const only = optionValue('--part');
  const parts = only !== undefined ? only.split(',') : quick ? ['held-out'] : PARTS;
  if (isAsked('--hints')) return await measureHints(parts);
  for (const way of WAYS) await measure(`${way}, text`, { parts, reader: plainReader, way });
  if (quick) console.log('files: not in quick mode');
  else if (!isAsked('--text')) {
    await measureFiles('rules and network', { parts });
    await measurePeers(parts);
  }
  const path = optionValue('--model');
  if (path === undefined) return console.log('with a model: skipped; give --model=PATH or --model');
  const model = await (path === ''
    ? openDefaultModel({ adapter: optionValue('--adapter') ?? 'built-in' })
    : openModelFile(path));
  try {
    if (model.engine === undefined) return console.log(`with a model: skipped, ${model.reason}`);
    const { engine } = model;
    if (isAsked('--long-scan')) return await measureLongScan(engine);
    const fullScan = optionValue('--full-scan');
    if (fullScan !== undefined)
      return await withExtractor({ model }, (extractor) => measureFullScan(extractor, engine, fullScan));
    const worst = optionValue('--worst');
    if (worst !== undefined)
      return await withExtractor({ model }, (extractor) => measureWorst(extractor, engine, worst));
    await measure('with the model, text', { parts, reader: plainReader, model });
    if (!isAsked('--text')) await measureFiles('with the model', { parts, model });
    await measureWritten(parts, model);
  } finally {
    await model.close();
  }
}

/** The gain by hints and by marked columns, for a model that writes everything. */
async function measureHints(parts) {
  const path = optionValue('--model') ?? '';
  const adapter = optionValue('--adapter') ?? 'none';
  const model = await (path === '' ? openDefaultModel({ adapter }) : openModelFile(path));
  try {
    if (model.engine === undefined) return console.log(`with a model: skipped, ${model.reason}`);
    await measureWritten(parts, model);
  } finally {
    await model.close();
  }
}

async function measureWritten(parts, model) {
  const most = isAsked('--direct') ? undefined : MOST_WRITTEN;
  for (const way of ['model alone', 'model with hints'])
    await measure(`${way}, text`, { parts, reader: plainReader, model, way, most });
  const way = 'model alone';
  await measure('model with marked columns, text', { parts, reader: markedReader, model, way, most });
}

/** The text with a bar in place of each wide gap, as tables in Markdown have it. */
const markedReader = {
  ...plainReader,
  read: async (documents) =>
    (await plainReader.read(documents)).map((pages) =>
      pages.map((page) => ({ ...page, text: page.text.replace(/(?<=\S)[^\S\n]{2,}(?=\S)/g, ' | ') })),
    ),
};

async function measureFiles(title, { parts, model }) {
  const own = await openOwnReaders();
  try {
    for (const reader of own.readers) await measure(`${title}, ${reader.name}`, { parts, reader, model });
  } finally {
    await own.close();
  }
}

async function measurePeers(parts) {
  if (!isAsked('--peers')) return console.log('peers: skipped; give --peers');
  for (const reader of openPeerReaders())
    await measure(`rules and network, ${reader.name}`, { parts, reader });
  console.log('Docling: cannot be had without a model hub');
}

function cpuSeconds() {
  return treeCpuUs(process.pid) / 1e6;
}

/** An option's value; empty without one, undefined if the option was not given. */
function optionValue(option) {
  const argument = process.argv.find((one) => one === option || one.startsWith(`${option}=`));
  return argument?.slice(option.length + 1);
}

async function measure(title, { parts, reader, model, way, most }) {
  const all = [];
  await withExtractor({ model, way }, async (extractor, blanks) => {
    for (const part of parts) {
      const documents = (await readDocuments(part)).slice(0, most);
      const memory = watchMemory();
      const before = cpuSeconds();
      const read = await reader.read(documents);
      const readSeconds = read.cpuSeconds ?? cpuSeconds() - before;
      const leaves = [];
      for (const [index, document] of documents.entries())
        leaves.push(
          ...(await extract({ document, pages: read[index] }, { extractor, blanks, engine: model?.engine })),
        );
      const seconds = read.cpuSeconds === undefined ? cpuSeconds() - before : readSeconds;
      all.push(...leaves);
      report(`${title}, ${part}`, leaves, { perSecond: documents.length / seconds, peakMb: memory.stop() });
    }
  });
  if (isAsked('--confidence')) reportConfidence(title, all);
}

/** Peak memory of this process and its children. */
function watchMemory() {
  let peak = treeRssMb(process.pid);
  const timer = setInterval(() => {
    peak = Math.max(peak, treeRssMb(process.pid));
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

async function withExtractor({ model, way }, use) {
  const { EmbeddedFieldFinder } = await import('../dist/reading/fields/embedded-field-finder.js');
  const { SchemaService } = await import('../dist/schema/service/schema-service.js');
  const { GroundedExtractor } = await import('../dist/documents/grounded/grounded-extractor.js');
  const { DirectExtractor } = await import('../dist/documents/direct/direct-extractor.js');
  const { proposedValues } = await import('../dist/documents/grounded/propose/proposed-values.js');
  const { readFileHints } = await import('../dist/documents/hints/read-file-hints.js');
  const schemas = new SchemaService();
  const finder = new EmbeddedFieldFinder();
  const text = {
    check: async () => 0,
    reply: (_, { conversation, signal }) => model.replyTo(conversation, signal),
  };
  const blanks = blankWriter();
  const direct = model === undefined ? blanks : new DirectExtractor({ text, schemas });
  const rules = { text, schemas, direct, readHints: readFileHints };
  const extractorOf = {
    'rules alone': () => new GroundedExtractor(rules),
    'network alone': () => networkAlone(finder),
    'model alone': () => direct,
    'model with hints': () =>
      new DirectExtractor({
        text,
        schemas,
        proposalsFor: (job, signal) => proposedValues(job, finder, signal),
      }),
  };
  const extractor = (await extractorOf[way]?.()) ?? new GroundedExtractor({ ...rules, finder });
  try {
    await use(extractor, blanks);
  } finally {
    await Promise.all([schemas.stop(never), finder.stop(never)]);
  }
}

/** Scores an extraction; what the rules left out is wrong, even if a blank happens to be right. */
async function extract({ document, pages }, { extractor, blanks, engine }) {
  const { name, schema, kind, language } = document;
  const job = extractionJob({ name, pages, schema, engine, maxTokens: MAX_TOKENS });
  blanks.forget();
  const { data, confidence } = await extractor.extract(job, never).catch((error) => {
    console.log(`  ${name}: all leaves wrong, ${error.message}`);
    return { data: {} };
  });
  const leaves = judge(document.expected, data).map((leaf) => ({
    ...leaf,
    said: saidOf(confidence, leaf.path),
    isRight: leaf.isRight && !blanks.wrote(leaf.path),
  }));
  if (isAsked('--misses')) showMisses(document, leaves);
  return leaves.map((leaf) => ({ ...leaf, kind, language }));
}

/** The probability that the extractor states for a leaf. */
function saidOf(confidence, path) {
  const said = path
    .split('/')
    .slice(1)
    .reduce((value, name) => value?.[name], confidence);
  return typeof said === 'number' ? said : undefined;
}

/** The stated probabilities of leaves, and how many of those leaves were right. */
function reportConfidence(title, leaves) {
  for (const [index, least] of SAID.entries()) {
    const most = SAID[index + 1] ?? Number.POSITIVE_INFINITY;
    const own = leaves.filter(({ said }) => said !== undefined && said >= least && said < most);
    if (own.length === 0) continue;
    const mean = own.reduce((sum, { said }) => sum + said, 0) / own.length;
    console.log(
      `${title}, said ${least} and more: ${own.length} leaves, mean ${mean.toFixed(2)}, ${share(own)} right`,
    );
  }
}

function showMisses(document, leaves) {
  for (const { path, expected, actual, isRight } of leaves) {
    if (!isRight)
      console.log(`  ${document.name}${path}: ${JSON.stringify(actual)} for ${JSON.stringify(expected)}`);
  }
}

function report(title, leaves, { perSecond, peakMb }) {
  console.log(
    `${title}: ${share(leaves)} of ${leaves.length} leaves right, ${perSecond.toFixed(2)} pages per CPU second, ${Math.round(peakMb)} MB at most`,
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
