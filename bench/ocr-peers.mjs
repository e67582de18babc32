import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

const script = fileURLToPath(new URL('./ocr-peers.py', import.meta.url));
const TESSERACT_LANGUAGES = ['eng', 'spa', 'deu', 'fra', 'ita', 'por'];

/** The peers available from package registries, each as a function that reads pages; missing ones are named. */
export function openOcrPeers(folder) {
  const python = join(folder, 'ocr-venv', 'bin', 'python');
  if (!existsSync(python) && !installed(folder, python)) {
    console.log('No peers: python3 with pip, or a package registry, is missing.');
    return [];
  }
  const models = tesseractModels(join(folder, 'tessdata'));
  return [
    { name: 'RapidOCR 3.10.0', read: (pages) => readWith(python, ['rapidocr'], pages) },
    ...(models === undefined
      ? []
      : [{ name: 'Tesseract 5', read: (pages) => readWith(python, ['tesseract', models], pages) }]),
  ];
}

function installed(folder, python) {
  const run = (...command) => spawnSync(command[0], command.slice(1), { stdio: 'ignore' }).status === 0;
  return (
    run('python3', '-m', 'venv', join(folder, 'ocr-venv')) &&
    run(python, '-m', 'pip', 'install', '-q', 'rapidocr==3.10.0', 'onnxruntime', 'tesserocr', 'pillow')
  );
}

/** The best models of the common languages, from npm packages. */
function tesseractModels(folder) {
  mkdirSync(folder, { recursive: true });
  for (const language of TESSERACT_LANGUAGES) {
    const file = join(folder, `${language}.traineddata`);
    if (existsSync(file)) continue;
    const packed = spawnSync('npm', ['pack', '--silent', `@tesseract.js-data/${language}@1.0.0`], {
      cwd: folder,
    });
    if (packed.status !== 0) return undefined;
    const archive = readdirSync(folder).find(
      (name) => name.includes(`data-${language}`) && name.endsWith('.tgz'),
    );
    const member = `package/4.0.0_best_int/${language}.traineddata.gz`;
    const packedModel = spawnSync('tar', ['-xzOf', join(folder, archive), member], { maxBuffer: 2 ** 27 });
    if (packedModel.status !== 0) return undefined;
    writeFileSync(file, gunzipSync(packedModel.stdout));
  }
  return folder;
}

async function readWith(python, args, pages) {
  const child = spawn(python, [script, ...args], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => {});
  child.stdin.end(pages.map(({ path, language }) => `${JSON.stringify({ path, language })}\n`).join(''));
  const results = [];
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('{')) results.push(JSON.parse(line));
  }
  if (results.length !== pages.length)
    throw new Error(`${args[0]} read ${results.length} of ${pages.length} pages`);
  return results;
}
