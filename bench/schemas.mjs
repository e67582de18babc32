import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const HELP = `--data=PATH must name the folder maskbench/data of the public repository guidance-ai/jsonschemabench;
--every=N takes every Nth schema, --open also writes keys that are merely allowed.`;

/** MaskBench: how many schemas compile and how fast, how many valid answers the grammars accept and invalid ones refuse. */
export async function run() {
  const folder = option('data');
  if (!folder) {
    console.log(`schemas: skipped\n${HELP}`);
    return;
  }
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  const chosen = names.filter((_, index) => index % Number(option('every') ?? 1) === 0);
  const judge = await loadJudge();
  const results = [];
  for (const name of chosen) results.push(judge(JSON.parse(await readFile(join(folder, name), 'utf8'))));
  report(results);
}

function option(name) {
  const prefix = `--${name}`;
  const found = process.argv.find((argument) => argument === prefix || argument.startsWith(`${prefix}=`));
  return found === prefix ? 'true' : found?.slice(prefix.length + 1);
}

async function loadJudge() {
  const { compileSchema } = await import('../dist/schema/compile-schema.js');
  const { SchemaValidator } = await import('../dist/schema/validate-schema.js');
  const { PatternLibrary } = await import('../dist/schema/values/pattern-library.js');
  const { parseGbnf, GbnfMatcher } = await loadMatcher();
  const unnamedKeys = option('open') ? 'where-allowed' : 'where-described';
  const options = { validator: new SchemaValidator(), patterns: new PatternLibrary(), unnamedKeys };
  return ({ schema, tests }) => {
    const before = process.cpuUsage();
    const grammar = attempt(() => compileSchema(schema, options).grammar);
    const { user, system } = process.cpuUsage(before);
    const matcher = grammar.value && new GbnfMatcher(parseGbnf(grammar.value));
    const answers = tests.map(({ valid, data }) => ({
      valid,
      accepted: matcher?.matches(serialise(data)) ?? false,
    }));
    return { cpuMs: (user + system) / 1000, refused: grammar.reason, answers };
  };
}

function attempt(work) {
  try {
    return { value: work() };
  } catch (error) {
    return { reason: error.reason ?? `crash: ${error.message}` };
  }
}

/** The tests' own matcher is TypeScript, which Node 20 does not run. */
async function loadMatcher() {
  const folder = await mkdtemp(join(tmpdir(), 'stackgate-bench-'));
  try {
    const sources = ['gbnf-grammar.ts', 'gbnf-matcher.ts'].map((name) => join(root, 'testing/schema', name));
    const flags = [
      '--ignoreConfig',
      '--target',
      'es2023',
      '--module',
      'nodenext',
      '--rewriteRelativeImportExtensions',
    ];
    execFileSync(join(root, 'node_modules/.bin/tsc'), [...flags, '--outDir', folder, ...sources]);
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    const load = (name) => import(pathToFileURL(join(folder, name)).href);
    return { ...(await load('gbnf-grammar.js')), ...(await load('gbnf-matcher.js')) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** As most models write JSON: one space after commas and colons. */
function serialise(value) {
  if (Array.isArray(value)) return `[${value.map(serialise).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${JSON.stringify(key)}: ${serialise(member)}`,
  );
  return `{${members.join(', ')}}`;
}

function report(results) {
  const answers = results.flatMap((result) => result.answers);
  const valid = answers.filter((answer) => answer.valid);
  const invalid = answers.filter((answer) => !answer.valid);
  const times = results.map(({ cpuMs }) => cpuMs).sort((a, b) => a - b);
  const at = (part) => `${times[Math.min(times.length - 1, Math.floor(times.length * part))]?.toFixed(2)} ms`;
  const isPerfect = ({ refused, answers: own }) =>
    !refused && own.every((answer) => answer.valid === answer.accepted);
  console.log(`schemas            ${results.length}`);
  console.log(`compiled           ${percent(results, ({ refused }) => !refused)}`);
  console.log(`valid accepted     ${percent(valid, ({ accepted }) => accepted)}`);
  console.log(`invalid refused    ${percent(invalid, ({ accepted }) => !accepted)}`);
  console.log(`perfect            ${percent(results, isPerfect)}`);
  console.log(`CPU to compile     p50 ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`);
  const reasons = results.flatMap(({ refused }) => refused ?? []);
  for (const reason of new Set(reasons)) {
    console.log(`refused            ${reason}: ${reasons.filter((other) => other === reason).length}`);
  }
}

function percent(list, test) {
  return `${((100 * list.filter(test).length) / list.length).toFixed(2)} % of ${list.length}`;
}
