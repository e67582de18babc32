import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SchemaJury } from './schema-jury.mjs';
import { reportSuite } from './schema-suite.mjs';

/** Schemas compiled before the first measured one. */
const WARM_UP = 300;

const HELP = `--data=PATH names the folder maskbench/data of the public repository guidance-ai/jsonschemabench,
--suite=PATH the folder tests of json-schema-org/JSON-Schema-Test-Suite; one of them is needed.
--every=N         take every Nth schema
--matcher=own     match with the tests' own matcher instead of llama.cpp's
--compilers=A,B   of stackgate, stackgate-open (keys that are merely allowed are written too), node-llama-cpp
--misses          name every schema that is not perfect`;

/** MaskBench: how many schemas compile and how fast, how many valid answers the grammars accept and invalid ones they reject. */
export async function run() {
  const [data, suite] = [option('data'), option('suite')];
  if (!data && !suite) {
    console.log(`schemas: skipped\n${HELP}`);
    return { isSkipped: true };
  }
  const matcher = option('matcher') ?? 'llama';
  if (data) await reportMaskBench(data, matcher);
  if (suite) await reportSuite(suite, new SchemaJury({ compiler: 'stackgate-open', matcher }));
}

async function reportMaskBench(folder, matcher) {
  const compilers = (option('compilers') ?? 'stackgate,stackgate-open').split(',');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const chosen = names.filter((_, index) => index % Number(option('every') ?? 1) === 0);
  const warmUp = await warmUpSchemas(folder, names, chosen);
  const columns = [];
  for (const compiler of compilers) {
    const jury = new SchemaJury({ compiler, matcher, warmUp });
    const results = [];
    for (const name of chosen) {
      const { schema, tests } = JSON.parse(await readFile(join(folder, name), 'utf8'));
      const verdict = await jury.judge(
        schema,
        tests.map(({ data }) => data),
      );
      const answers = tests.map(({ valid }, index) => ({ valid, accepted: verdict.answers[index] }));
      results.push({ ...verdict, name, answers });
    }
    jury.close();
    columns.push({ compiler, results });
  }
  printTable(columns, matcher);
  for (const column of columns.filter(({ compiler }) => compiler.startsWith('stackgate')))
    printDetails(column);
}

/** Schemas from another part of the data if not all of it is measured; their times do not count. */
async function warmUpSchemas(folder, names, chosen) {
  const measured = new Set(chosen);
  const others = chosen.length < names.length ? names.filter((name) => !measured.has(name)) : names;
  const step = Math.ceil(others.length / WARM_UP);
  const spread = others.filter((_, index) => index % step === 0);
  const files = await Promise.all(spread.map((name) => readFile(join(folder, name), 'utf8')));
  return files.map((file) => JSON.parse(file).schema);
}

function option(name) {
  const prefix = `--${name}`;
  const found = process.argv.find((argument) => argument === prefix || argument.startsWith(`${prefix}=`));
  return found === prefix ? 'true' : found?.slice(prefix.length + 1);
}

const answersOf = (results, isValid) =>
  results.flatMap(({ answers }) => answers).filter(({ valid }) => valid === isValid);
const isPerfect = ({ refused, answers }) =>
  !refused && answers.every(({ valid, accepted }) => valid === accepted);
/** Remote schemas are never fetched, and unsatisfiable ones have no valid answer in the data. */
const isRightlyRefused = ({ refused, answers }) =>
  refused === 'remote-reference' || (refused === 'unsatisfiable' && answers.every(({ valid }) => !valid));
const ROWS = {
  compiled: (results) => percent(results, ({ refused }) => !refused),
  'compiled, or rightly refused': (results) =>
    percent(results, (one) => !one.refused || isRightlyRefused(one)),
  'valid accepted': (results) => percent(answersOf(results, true), ({ accepted }) => accepted),
  'invalid refused': (results) => percent(answersOf(results, false), ({ accepted }) => !accepted),
  'perfect schemas': (results) => percent(results, isPerfect),
  'CPU to compile, lowest of three: p50': (results) => quantile(results, 'cpuMs', 0.5),
  'CPU to compile, lowest of three: p99': (results) => quantile(results, 'cpuMs', 0.99),
  'CPU to compile, lowest of three: longest': (results) => quantile(results, 'cpuMs', 1),
  'the same, first of three runs: p50': (results) => quantile(results, 'firstMs', 0.5),
  'the same, first of three runs: p99': (results) => quantile(results, 'firstMs', 0.99),
  'CPU to parse the grammar, p99': (results) => quantile(results, 'parseMs', 0.99),
  'CPU to match one answer, p99': (results) => quantile(results, 'slowestMs', 0.99),
  'CPU to match one answer, longest': (results) => quantile(results, 'slowestMs', 1),
};

function printTable(columns, matcher) {
  const results = columns[0]?.results ?? [];
  const tests = results.reduce((sum, { answers }) => sum + answers.length, 0);
  console.log(
    `${results.length} schemas, ${tests} answers, ${matcher} matcher, each process warmed up on about ${WARM_UP} schemas\n`,
  );
  console.log(`| | ${columns.map(({ compiler }) => compiler).join(' | ')} |`);
  console.log(`| --- | ${columns.map(() => '---').join(' | ')} |`);
  for (const [name, measure] of Object.entries(ROWS)) {
    console.log(`| ${name} | ${columns.map((column) => measure(column.results)).join(' | ')} |`);
  }
}

function printDetails({ compiler, results }) {
  console.log(`\n${compiler}: refused`);
  for (const { name, refused } of results) if (refused) console.log(`  ${name}: ${refused}`);
  for (const key of ['slowestMs', 'cpuMs']) {
    const title =
      key === 'slowestMs' ? 'the slowest to match, CPU for one answer' : 'the slowest to compile, CPU';
    console.log(`${compiler}: ${title}`);
    const worst = results.toSorted((a, b) => (b[key] ?? 0) - (a[key] ?? 0)).slice(0, 20);
    for (const result of worst)
      console.log(`  ${result.name}: ${result[key]?.toFixed(0)} ms, ${result.rules} rules`);
  }
  if (!option('misses')) return;
  console.log(`${compiler}: not perfect`);
  for (const result of results.filter((each) => !isPerfect(each))) console.log(`  ${result.name}`);
}

function quantile(results, key, part) {
  const values = results.flatMap((result) => result[key] ?? []).sort((a, b) => a - b);
  const value = values[Math.min(values.length - 1, Math.floor(values.length * part))];
  return value === undefined ? '–' : `${value.toFixed(2)} ms`;
}

function percent(list, test) {
  return `${((100 * list.filter(test).length) / list.length).toFixed(2)} %`;
}
