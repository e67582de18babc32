// `npm run bench -- NAME` runs one benchmark, `npm run bench` all of them, and each writes its part of RESULTS.md and its plots.
// `--quick` makes fewer rounds and writes nothing. Figures are ratios within one run.
import { captured, machineLine, recordResults } from './record-results.mjs';

const benchmarks = {
  models: () => import('./models.mjs'),
  text: () => import('./text.mjs'),
  limits: () => import('./limits.mjs'),
  schemas: () => import('./schemas.mjs'),
  images: () => import('./images.mjs'),
  llama: () => import('./llama.mjs'),
  'default-model': () => import('./default-model.mjs'),
  'image-admission': () => import('./image-admission.mjs'),
  ocr: () => import('./ocr.mjs'),
  extract: () => import('./extraction.mjs'),
  pdf: () => import('./pdf.mjs'),
  knowledge: () => import('./knowledge.mjs'),
  painter: () => import('./painter.mjs'),
  growth: () => import('./growth.mjs'),
};
const quick = process.argv.includes('--quick');
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const unknown = asked.filter((name) => !(name in benchmarks));

if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}; there are: ${Object.keys(benchmarks).join(', ')}`,
  );
  process.exit(2);
}
console.log(`${machineLine()}\n`);
const failed = [];
for (const name of asked.length > 0 ? asked : Object.keys(benchmarks)) {
  try {
    const { run } = await benchmarks[name]();
    const result = await captured(() => run({ quick }));
    if (!quick) await recordResults(name, result);
  } catch (error) {
    // One that lacks its data must not cost the others.
    console.error(`${name}: ${error.stack}`);
    failed.push(name);
  }
}
if (failed.length > 0) {
  console.error(`Failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
