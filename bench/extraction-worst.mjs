// The most expensive extractions: documents that just fit the window, and schemas that make the most work of them.
import { picture, scanPdf } from './extraction-files.mjs';
import { extractionJob, noMeter } from './extraction-job.mjs';
import { openOwnReaders } from './extraction-readers.mjs';
import { treeCpuUs } from './process-tree.mjs';

const never = new AbortController().signal;
const MAX_TOKENS = 4_000;
const [SCANNED_PAGES, LINES_PER_PAGE, LINE_CHARACTERS] = [50, 55, 78];
/** With so few lines per page, the text of a window fills the page limit of the largest plan. */
const FEW_LINES = 15;
const WORDS =
  'invoice total amount customer delivery number of the goods were sent on by our partner in London and Berlin with payment due address street name date tax item price'.split(
    ' ',
  );
const pick = (index, step) => WORDS[(index * step + (index >> 3)) % WORDS.length];

/** Prose without labels, figures and dates. */
const prose = (lines) =>
  Array.from(
    { length: lines },
    (_, row) => `${Array.from({ length: 12 }, (_, at) => pick(row * 12 + at, 7)).join(' ')}.`,
  ).join('\n');
/** At least one token per character. */
const figures = (lines) =>
  Array.from({ length: lines }, (_, row) =>
    Array.from({ length: 8 }, (_, at) => (row * 8_191 + at * 977) % 9_973).join('  '),
  ).join('\n');
const blocks = (count) =>
  Array.from(
    { length: count },
    (_, at) => `Item: part ${at}\nQty: ${at % 9}\nPrice: ${at}.50\nAccount ${at}: ${at * 31}`,
  ).join('\n\n');

const leaves = (count, schema) =>
  objectOf(
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`${pick(at, 1)}_${pick(at, 3)}_${at}`, schema]),
    ),
  );
const objectOf = (properties) => ({ type: 'object', properties, required: Object.keys(properties) });
const text = { type: 'string' };
/** Lines as long as paper is wide. */
const fullLines = (lines) =>
  Array.from({ length: lines }, (_, row) =>
    Array.from({ length: 13 }, (_, at) => pick(row * 13 + at, 7))
      .join(' ')
      .slice(0, LINE_CHARACTERS),
  ).join('\n');
const nested = objectOf({
  name: text,
  parts: { type: 'array', items: objectOf({ code: text, price: { type: 'number' } }) },
});

/** Each text has as many tokens as the window leaves beside the schema and 4,000 for the answer. */
const worstCases = [
  { name: '60 text fields, prose', make: prose, schema: leaves(60, text) },
  { name: '60 numbers, figures only', make: figures, schema: leaves(60, { type: 'number' }) },
  { name: '60 required numbers, no figure', make: prose, schema: leaves(60, { type: 'number' }) },
  { name: '60 required answers, no yes or no', make: prose, schema: leaves(60, { type: 'boolean' }) },
  { name: 'summary of prose', make: prose, schema: objectOf({ summary: text, mood: text }) },
  {
    name: 'nested lists of objects',
    make: blocks,
    schema: objectOf({ orders: { type: 'array', minItems: 1, items: nested } }),
  },
  {
    name: 'a choice of two shapes at the root',
    make: blocks,
    schema: { type: 'object', oneOf: [leaves(20, text), nested] },
  },
  {
    name: 'patterns that nothing fits',
    make: blocks,
    schema: leaves(20, { type: 'string', pattern: '^[A-Z]{3}-[0-9]{4}$' }),
  },
];

/** The cost of a scan with far more text than the window, until it is refused. */
export async function measureLongScan(engine) {
  const { WindowWatch } = await import('../dist/documents/window-watch.js');
  const own = await openOwnReaders();
  try {
    const text = {
      measure: async (_, conversation, signal) => ({
        tokens: await engine.countTokens(conversation, signal),
        room: engine.contextWindow - MAX_TOKENS,
      }),
    };
    const { schema, system, user, maxTokens, showsSchema, caller } = extractionJob({
      schema: leaves(20, { type: 'string' }),
      engine,
      maxTokens: MAX_TOKENS,
    });
    const asked = { schema, system, user, maxTokens, showsSchema };
    const names = ['scan.pdf'];
    const watch = new WindowWatch({ text, caller, asked, names, pages: SCANNED_PAGES, signal: never });
    const bytes = await scanPdf(await picture(fullLines(LINES_PER_PAGE)), SCANNED_PAGES);
    const before = treeCpuUs(process.pid);
    const beganMs = performance.now();
    const outcome = await own.reader
      .readPdf({ stackId: 'bench', bytes, name: 'scan.pdf' }, never, (pages) => watch.tell(0, pages))
      .then(
        () => 'not refused',
        (error) => `refused: ${error.message}`,
      );
    const seconds = (treeCpuUs(process.pid) - before) / 1e6;
    const wallSeconds = (performance.now() - beganMs) / 1000;
    console.log(
      `a scan of ${SCANNED_PAGES} pages of ${LINES_PER_PAGE} full lines: ${seconds.toFixed(0)} CPU seconds in ${wallSeconds.toFixed(0)}, ${outcome}`,
    );
  } finally {
    await own.close();
  }
}

/** No limit of a plan applies. */
const unlimited = {
  plan: {
    name: 'bench',
    limits: { extraction: { files: 1, pages: 1_000, documentBytes: 1e9, imageBytes: 1e9 } },
  },
  stack: { systemPrompt: undefined },
};

/** The cost of a scan of as many full pages as fit the window, for each schema whose name matches. */
export async function measureFullScan(extractor, engine, namePart = '') {
  const { ExtractionService } = await import('../dist/documents/extraction-service.js');
  const { SchemaService } = await import('../dist/schema/service/schema-service.js');
  const own = await openOwnReaders();
  const schemas = new SchemaService();
  const service = new ExtractionService({
    reader: own.reader,
    schemas,
    text: {
      readyEngine: async () => engine,
      measure: async (_, conversation, signal) => ({
        tokens: await engine.countTokens(conversation, signal),
        room: engine.contextWindow - MAX_TOKENS,
      }),
    },
    extractorFor: () => extractor,
    cite: () => ({}),
  });
  try {
    for (const worst of worstCases.filter(({ name }) => name.includes(namePart)))
      for (const lines of [LINES_PER_PAGE, FEW_LINES])
        await measureFullScanOf(worst, { service, engine, lines });
  } finally {
    await schemas.stop(never);
    await own.close();
  }
}

async function measureFullScanOf({ name, schema }, { service, engine, lines }) {
  const page = fullLines(lines);
  const pages = await mostPages({ page, schema, engine });
  const bytes = await scanPdf(await picture(page), pages);
  const before = treeCpuUs(process.pid);
  const beganMs = performance.now();
  const request = {
    route: 'documents',
    files: [{ name: 'scan.pdf', bytes }],
    schema: JSON.stringify(schema),
    maxTokens: MAX_TOKENS,
    citations: false,
    confidence: false,
  };
  let readSeconds;
  const meter = {
    ...noMeter,
    add: ({ pages: read }) => {
      if (read !== undefined) readSeconds = (treeCpuUs(process.pid) - before) / 1e6;
    },
  };
  const outcome = await service.extract(unlimited, request, { meter, signal: never }).then(
    ({ usage }) => `answered: ${usage.completionTokens} tokens of data`,
    (error) => `refused: ${error.message}`,
  );
  const seconds = (treeCpuUs(process.pid) - before) / 1e6;
  const wallSeconds = (performance.now() - beganMs) / 1000;
  console.log(
    `${name}, from a scan of ${pages} pages of ${lines} full lines: ${seconds.toFixed(0)} CPU seconds in ${wallSeconds.toFixed(0)}, ${readSeconds?.toFixed(0)} of them to read it, ${outcome}`,
  );
}

/** How many pages of this text fit the window and the largest plan. */
async function mostPages({ page, schema, engine }) {
  const { extractionConversation } = await import('../dist/documents/extraction-conversation.js');
  for (let pages = 1; ; pages += 1) {
    if (pages === SCANNED_PAGES) return pages;
    const job = extractionJob({
      name: 'scan.pdf',
      pages: Array.from({ length: pages + 1 }, () => ({ text: page, lines: [] })),
      schema,
      engine,
      maxTokens: MAX_TOKENS,
    });
    const conversation = extractionConversation(job, { temperature: 0, seed: undefined });
    if ((await engine.countTokens(conversation, never)) > engine.contextWindow - MAX_TOKENS) return pages;
  }
}

/** The longest text of a case that still fits. */
async function longestText({ make }, countTokens, room) {
  let [fits, over] = [1, 2];
  while ((await countTokens(make(over))) <= room) [fits, over] = [over, over * 2];
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if ((await countTokens(make(middle))) <= room) fits = middle;
    else over = middle;
  }
  return make(fits);
}

/** The cost of each matching case, in CPU seconds of all processes. */
export async function measureWorst(extractor, engine, namePart = '') {
  const { extractionConversation } = await import('../dist/documents/extraction-conversation.js');
  for (const worst of worstCases.filter(({ name }) => name.includes(namePart))) {
    const jobOf = (text) =>
      extractionJob({
        name: 'worst.pdf',
        pages: [{ text, lines: [] }],
        schema: worst.schema,
        engine,
        maxTokens: MAX_TOKENS,
      });
    const tokens = (pageText) =>
      engine.countTokens(extractionConversation(jobOf(pageText), { temperature: 0, seed: undefined }), never);
    const pageText = await longestText(worst, tokens, engine.contextWindow - MAX_TOKENS);
    const before = treeCpuUs(process.pid);
    const outcome = await extractor.extract(jobOf(pageText), never).then(
      ({ data }) => `answered: ${JSON.stringify(data).length} characters of data`,
      (error) => `refused: ${error.message}`,
    );
    const seconds = (treeCpuUs(process.pid) - before) / 1e6;
    console.log(
      `${worst.name}, ${await tokens(pageText)} tokens: ${seconds.toFixed(0)} CPU seconds, ${outcome}`,
    );
  }
}
