// Accuracy and cost of reading degraded pages, compared with RapidOCR (the same networks) and Tesseract, each on one thread.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathOf } from '../dist/catalogue/installed-model.js';
import { ModelStore } from '../dist/catalogue/model-store.js';
import { ocrFiles } from '../dist/reading/ocr/ocr-files.js';
import { drawPage } from '../testing/reading/draw-page.mjs';
import { usePageFonts } from '../testing/reading/page-fonts.mjs';
import { seededRandom } from '../testing/reading/seeded-random.mjs';
import { openOcrPeers } from './ocr-peers.mjs';
import { scoreText } from './ocr-score.mjs';

const cache = fileURLToPath(new URL('../.cache/', import.meta.url));
const languages = ['en', 'es', 'de', 'fr', 'it', 'pt'];
/** Read again with one process and with several. */
const THREAD_PAGES = 6;
/** For the quick mode: each kind of damage costs seconds. */
const QUICK_DAMAGES = ['clean', 'noise'];
const fonts = ['Arimo', 'Tinos', 'Cousine'];

export async function run({ quick }) {
  const pages = await makePages(quick);
  const readers = [{ name: 'stackgate', read: readHere }, ...(quick ? [] : openOcrPeers(cache))];
  const scored = [];
  for (const { name, read } of readers) {
    const results = await read(pages);
    scored.push({
      name,
      pages: results.map((result, index) => ({ ...result, ...scoreText(result.text, pages[index]) })),
    });
  }
  print(pages, scored);
  const plots = [plotOf(scored)];
  if (!quick) await measureThreads(pages.slice(0, THREAD_PAGES));
  return { plots };
}

/** The same pages every time: each kind of damage in turn over languages and typefaces. */
async function makePages(quick) {
  const folder = join(cache, 'bench-ocr');
  mkdirSync(folder, { recursive: true });
  usePageFonts(folder);
  const { degradations, degradedPage } = await import('../testing/reading/degrade-page.mjs');
  const pages = [];
  for (const [kind, damage] of Object.keys(degradations).entries()) {
    if (quick && !QUICK_DAMAGES.includes(damage)) continue;
    for (let copy = 0; copy < (quick ? 1 : 2); copy += 1) {
      const index = kind * 2 + copy;
      const random = seededRandom(index + 1);
      const font = fonts[index % fonts.length];
      const language = languages[index % languages.length];
      const page = drawPage({ language, random, font, size: font === 'Cousine' ? 19 : 23 });
      const path = join(folder, `${index}.png`);
      writeFileSync(path, await degradedPage(page.svg, damage, random));
      pages.push({ damage, language, path, ...page });
    }
  }
  return pages;
}

async function modelFiles() {
  const store = new ModelStore({ dataDir: join(cache, 'ocr-models'), environment: process.env });
  const model = await store.install('pp-ocrv6-small', { signal: AbortSignal.timeout(120_000) });
  return ocrFiles((role) => pathOf(model, role));
}

async function readHere(pages) {
  const { OcrPipeline } = await import('../dist/reading/ocr/ocr-pipeline.js');
  const { decodeImage } = await import('../dist/reading/ocr/decode-image.js');
  const pipeline = await OcrPipeline.open(await modelFiles());
  const { signal } = new AbortController();
  const results = [];
  for (const { path } of pages) {
    const bytes = readFileSync(path);
    const before = process.cpuUsage();
    const { text } = await pipeline.read(await decodeImage(bytes), signal);
    const { user, system } = process.cpuUsage(before);
    results.push({ text, cpuSeconds: (user + system) / 1e6 });
  }
  return results;
}

/** Pages per second with one process and with one per core; the results must be the same. */
async function measureThreads(pages) {
  const { EmbeddedOcr } = await import('../dist/reading/ocr/embedded-ocr.js');
  const files = await modelFiles();
  const { signal } = new AbortController();
  const texts = [];
  for (const threads of new Set([1, availableParallelism()])) {
    const ocr = new EmbeddedOcr({ files, threads });
    try {
      const read = ({ path }) =>
        ocr.read({ kind: 'encoded', bytes: readFileSync(path) }, { stackId: 'bench', signal });
      await Promise.all(Array.from({ length: threads }, () => read(pages[0])));
      const started = performance.now();
      const done = await Promise.all(pages.map(read));
      const seconds = (performance.now() - started) / 1_000;
      texts.push(done.map(({ text }) => text).join('\n'));
      console.log(`${threads} at a time: ${(pages.length / seconds).toFixed(2)} pages per second`);
    } finally {
      await ocr.stop(AbortSignal.abort());
    }
  }
  if (new Set(texts).size > 1) throw new Error('threads change what is read');
}

function plotOf(scored) {
  return {
    file: 'ocr-words.svg',
    title: 'OCR of damaged pages: words read wrong',
    unit: '% of all words, in their order; less is better',
    bars: scored.map(({ name, pages }, index) => ({
      label: index === 0 ? 'Stackgate' : name,
      value: (100 * pages.reduce((sum, { words }) => sum + words, 0)) / pages.length,
      ours: index === 0,
    })),
  };
}

function print(pages, scored) {
  const percent = (share) => (100 * share).toFixed(1).padStart(6);
  const mean = (list, field) => list.reduce((sum, item) => sum + item[field], 0) / list.length;
  const cells = (list) =>
    [
      percent(mean(list, 'characters')),
      percent(mean(list, 'words')),
      percent(mean(list, 'missing')),
      percent(mean(list, 'rows')),
      mean(list, 'cpuSeconds').toFixed(2).padStart(6),
    ].join(' ');
  console.log(
    `${pages.length} pages; of each reader: wrong characters %, wrong words %, missing words %, whole rows %, CPU seconds a page`,
  );
  // Character columns, which RESULTS.md shows verbatim.
  console.log('\n```text');
  console.log(''.padEnd(22) + scored.map(({ name }) => name.padEnd(38)).join(''));
  for (const damage of new Set(pages.map((page) => page.damage))) {
    const own = (list) => list.filter((_, index) => pages[index].damage === damage);
    console.log(damage.padEnd(22) + scored.map((reader) => cells(own(reader.pages)).padEnd(38)).join(''));
  }
  console.log('mean'.padEnd(22) + scored.map((reader) => cells(reader.pages).padEnd(38)).join(''));
  console.log('```\n');
  const [ours, rapid] = scored;
  if (rapid)
    console.log(
      `CPU of RapidOCR's: ${(mean(ours.pages, 'cpuSeconds') / mean(rapid.pages, 'cpuSeconds')).toFixed(2)}`,
    );
}
