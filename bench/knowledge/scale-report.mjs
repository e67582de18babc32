import { markdownTable, median, quantile } from '../statistics.mjs';
import { DOCUMENT_PASSAGES } from './fill-tables.mjs';
import { STACK_PASSAGES } from './fill-world.mjs';

const MIB = 2 ** 20;

/** Prints what the steps have kept, whenever they were run. */
export async function report(world, { passages, stacks }) {
  const kept = {};
  for (const step of ['large', 'asked', 'exact', 'small-asked', 'small-exact', 'indexed', 'embedded'])
    kept[step] = await world.figure(step);
  if (kept.asked) await reportLarge(world, kept, passages);
  if (kept['small-asked']) await reportSmall(world, kept, stacks);
  if (kept.embedded) reportEmbedded(kept.embedded);
  if (kept.indexed) reportIndexing(kept.indexed, passages);
}

async function reportLarge({ pool }, { large, asked, exact = [], embedded = [] }, passages) {
  const size = await sizesOf(pool);
  const whole = embedded.find((one) => one.passages === passages)?.found ?? [];
  const rows = [
    ...recallRows('exact search in SQL', asked.found, exact),
    ...recallRows('the embedded kind, which compares all', asked.found, whole),
    ...timeRows([asked]),
    ['indexes built in, s (CPU)', `${s(large.buildMs)} (${s(large.buildCpuMs)})`],
    ['indexes of this stack, MiB', size.indexes],
  ];
  console.log(`One stack of ${number(passages)} passages, ${asked.found.length} questions\n`);
  console.log(`${markdownTable(['', 'postgres'], rows)}\n`);
}

function recallRows(reference, found, exact) {
  const compared = Math.min(found.length, exact.length);
  if (compared === 0) return [];
  return [
    [`recall at 5 against ${reference} (${compared} questions), %`, percent(recall(found, exact))],
    ['the first passage is the same, %', percent(first(found, exact))],
  ];
}

async function reportSmall({ pool }, { 'small-asked': { own, again }, 'small-exact': exact }, stacks) {
  const size = await sizesOf(pool);
  console.log(
    `${number(stacks)} stacks of ${number(STACK_PASSAGES)} passages, beside the large one; ${own.found.length} questions, each to any of them\n`,
  );
  const rows = [
    ...(exact
      ? [
          ['recall at 5 against the embedded kind, %', percent(recall(own.found, exact)), ''],
          ['the first passage is the same, %', percent(first(own.found, exact)), ''],
        ]
      : []),
    ...timeRows([own, again]),
  ];
  console.log(`${markdownTable(['', 'asked first', 'asked again'], rows)}\n`);
  console.log(
    `On disk, all stacks together: ${size.words} MiB words, ${size.vectors} MiB vectors, ${size.texts} MiB texts.\n`,
  );
}

function timeRows(runs) {
  return [
    ['a question: median, ms', ...runs.map(({ times }) => ms(median(times)))],
    ['a question: 95 %, ms', ...runs.map(({ times }) => ms(quantile(times, 0.95)))],
    [
      'a question: CPU, ms (of it in the gateway)',
      ...runs.map(({ cpuMs, ownCpuMs }) => `${ms(cpuMs)} (${ms(ownCpuMs)})`),
    ],
  ];
}

function reportEmbedded(sizes) {
  console.log('The embedded kind with passages of the same stack, in one process\n');
  const rows = sizes.map(({ passages, sizeBytes, loadingCpuMs, times }) => [
    number(passages),
    number(Math.round(sizeBytes / MIB)),
    s(loadingCpuMs),
    ms(median(times)),
    ms(quantile(times, 0.95)),
  ]);
  const heads = [
    'passages',
    'MiB in memory',
    'indexed in, s of CPU',
    'a question: CPU, median, ms',
    '95 %, ms',
  ];
  console.log(`${markdownTable(heads, rows)}\n`);
}

function reportIndexing({ moving, adding, found }, passages) {
  const rows = [
    ['into small stacks', moving],
    [`into the stack of ${number(passages)}, with its indexes`, adding],
  ].map(([where, { count, ms: tookMs, cpuMs: cpu, ownCpuMs }]) => [
    where,
    number(Math.round((1000 * count) / tookMs)),
    `${ms(cpu / count)} (${ms(ownCpuMs / count)})`,
  ]);
  console.log(`Indexing by the gateway, without embedding; documents of ${DOCUMENT_PASSAGES} passages\n`);
  console.log(
    `${markdownTable(['', 'passages a second', 'CPU a passage, ms (of it in the gateway)'], rows)}\n\nA new document of one passage is found in the large stack after ${ms(median(found))} ms (median of ${found.length}; longest ${ms(Math.max(...found))}).\n`,
  );
}

async function sizesOf(pool) {
  const { rows } = await pool.query(
    `select pg_total_relation_size('knowledge_search.passages') as words, pg_total_relation_size('knowledge_search.vectors') as vectors,
       pg_total_relation_size('knowledge_chunks') as texts, pg_relation_size(to_regclass('knowledge_search.space_1')) as gin,
       pg_relation_size(to_regclass('knowledge_search.space_2')) as hnsw`,
  );
  const mib = (bytes) => number(Math.round(bytes / MIB));
  const { words, vectors, texts, gin, hnsw } = rows[0];
  return {
    words: mib(words),
    vectors: mib(vectors),
    texts: mib(texts),
    indexes: `${mib(gin)} words, ${mib(hnsw)} vectors`,
  };
}

/** The part of what should be found that is found, over all questions that have both. */
function recall(found, exact) {
  return mean(found, exact, (own, expected) => {
    const there = new Set(own);
    return expected.filter((key) => there.has(key)).length / expected.length;
  });
}

function first(found, exact) {
  return mean(found, exact, (own, expected) => (own[0] === expected[0] ? 1 : 0));
}

function mean(found, exact, measure) {
  const count = Math.min(found.length, exact.length);
  let sum = 0;
  for (let place = 0; place < count; place += 1) sum += measure(found[place], exact[place]);
  return sum / count;
}

const ms = (value) => value.toFixed(1);
const s = (value) => (value / 1000).toFixed(1);
const percent = (value) => (100 * value).toFixed(1);
const number = (value) => value.toLocaleString('en');
