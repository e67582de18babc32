// `npm run bench -- NAME` runs one benchmark, `npm run bench` all of them; `--quick` makes fewer rounds. Figures are ratios within one run.
import { cpus, totalmem } from 'node:os';

const benchmarks = {
  models: () => import('./models.mjs'),
  text: () => import('./text.mjs'),
  schemas: () => import('./schemas.mjs'),
  images: () => import('./images.mjs'),
  llama: () => import('./llama.mjs'),
  'default-model': () => import('./default-model.mjs'),
  'image-admission': () => import('./image-admission.mjs'),
  ocr: () => import('./ocr.mjs'),
  extract: () => import('./extraction.mjs'),
  pdf: () => import('./pdf.mjs'),
  painter: () => import('./painter.mjs'),
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
console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB\n`,
);
for (const name of asked.length > 0 ? asked : Object.keys(benchmarks)) {
  const { run } = await benchmarks[name]();
  await run({ quick });
}
