// `npm run bench -- NAME` runs one benchmark, `npm run bench` all of them, and each writes its part of RESULTS.md and its plots.
// `--quick` makes few rounds, leaves out what takes long, and writes nothing; without a name it runs those in `quickOnes`, in less than two minutes on two idle cores. Figures are ratios within one run.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { captured, machineLine, recordResults } from './record-results.mjs';

const benchmarks = {
  models: () => import('./models.mjs'),
  text: () => import('./text.mjs'),
  responses: () => import('./responses.mjs'),
  limits: () => import('./limits.mjs'),
  production: () => import('./production.mjs'),
  schemas: () => import('./schemas.mjs'),
  images: () => import('./images.mjs'),
  llama: () => import('./llama.mjs'),
  'default-model': () => import('./default-model.mjs'),
  'image-admission': () => import('./image-admission.mjs'),
  ocr: () => import('./ocr.mjs'),
  extract: () => import('./extraction.mjs'),
  'real-documents': () => import('./real-documents.mjs'),
  pdf: () => import('./pdf.mjs'),
  knowledge: () => import('./knowledge.mjs'),
  'knowledge-scale': () => import('./knowledge-scale.mjs'),
  painter: () => import('./painter.mjs'),
  console: () => import('./console.mjs'),
  growth: () => import('./growth.mjs'),
  neighbours: () => import('./neighbours.mjs'),
};
/** Run by quick mode without a name. */
const quickOnes = ['text', 'limits', 'ocr', 'pdf', 'painter'];
const ASIDE = '--aside';
const quick = process.argv.includes('--quick');
/** Options that take the next word as their value. */
const WITH_VALUE = ['--attack', '--engines', '--seconds', '--passages', '--stacks', '--questions', '--steps'];
const given = process.argv.slice(2);
const isName = (argument, place) => !argument.startsWith('-') && !WITH_VALUE.includes(given[place - 1]);
const asked = given.filter(isName);
const unknown = asked.filter((name) => !(name in benchmarks));

if (given.includes('--help') || given.includes('-h')) {
  console.log(`npm run bench -- [NAME ...] [--quick]\n\nBenchmarks: ${Object.keys(benchmarks).join(', ')}; all of them without a name, which takes hours.
--quick measures little and writes nothing. The head of bench/NAME.mjs tells the other options.`);
  process.exit();
}
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}; there are: ${Object.keys(benchmarks).join(', ')}`,
  );
  process.exit(2);
}
const usual = quick ? quickOnes : Object.keys(benchmarks);
const chosen = asked.length > 0 ? asked : usual;
if (!process.argv.includes(ASIDE)) console.log(`${machineLine()}\n`);
const failed = chosen.length === 1 ? await runOne(chosen[0]) : await runAll();
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
// Handles left open by a failed benchmark must not keep the process alive.
process.exit();

async function runAll() {
  const startedMs = performance.now();
  const failures = [];
  for (const name of chosen) {
    const beganMs = performance.now();
    console.log(`# ${name}\n`);
    if (!(await runAside(name))) failures.push(name);
    console.log(`\n${name} took ${seconds(beganMs)} s\n`);
  }
  console.log(`All took ${seconds(startedMs)} s`);
  return failures;
}

async function runOne(name) {
  try {
    const { run } = await benchmarks[name]();
    const result = await captured(() => run({ quick }));
    if (!quick && !result.isSkipped) await recordResults(name, result);
    return [];
  } catch (error) {
    console.error(error.stack);
    return [name];
  }
}

/** In its own process: a crash does not affect the others, and none is warmed up by the one before. */
async function runAside(name) {
  const flags = given.filter((argument, place) => !isName(argument, place));
  const script = fileURLToPath(import.meta.url);
  const child = spawn(process.execPath, [script, name, ...flags, ASIDE], { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code === 0;
}

function seconds(sinceMs) {
  return ((performance.now() - sinceMs) / 1000).toFixed(1);
}
