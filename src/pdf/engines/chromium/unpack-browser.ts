import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliDecompress, createBrotliDecompress } from 'node:zlib';
import { BrowserUnavailable } from './browser-errors.ts';
import type { BrowserFiles } from './find-browser.ts';
import { packageFolder } from './packaged-files.ts';
import { unpackTar } from './unpack-tar.ts';

export interface UnpackOptions {
  readonly dataDir: string;
  /** Called with the fraction done, from 0 to 1. */
  readonly onProgress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

const PACKAGE = '@sparticuz/chromium';
const PROGRESS_STEPS = 10;

/** The packaged browser, unpacked into the data folder unless it is there already. */
export async function unpackBrowser(options: UnpackOptions): Promise<BrowserFiles> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new BrowserUnavailable(
      `no browser comes with the gateway for ${process.platform} ${process.arch}; install one and set engines.pdf.executable`,
    );
  }
  const source = packageFolder(PACKAGE);
  const folder = join(options.dataDir, 'pdf', `browser-${await versionOf(source)}`);
  if (!(await exists(folder))) await unpackAside(source, folder, options);
  return { executable: join(folder, 'chromium'), libraries: join(folder, 'lib') };
}

/** Unpacked to a temporary folder and renamed, so that concurrent or killed processes never leave half of it. */
async function unpackAside(source: string, folder: string, options: UnpackOptions): Promise<void> {
  const aside = `${folder}.${randomUUID()}.part`;
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 });
  try {
    await mkdir(aside, { mode: 0o755 });
    await unpackLibraries(join(source, 'bin', 'al2023.tar.br'), aside);
    await unpackProgram(join(source, 'bin', 'chromium.br'), join(aside, 'chromium'), options);
    await rename(aside, folder);
  } catch (cause) {
    await rm(aside, { recursive: true, force: true });
    options.signal.throwIfAborted();
    // Another process was faster.
    if (await exists(folder)) return;
    throw new BrowserUnavailable('the browser cannot be unpacked into the data folder', { cause });
  }
}

async function unpackProgram(from: string, to: string, { onProgress, signal }: UnpackOptions): Promise<void> {
  const { size } = await stat(from);
  let read = 0;
  let steps = 0;
  const packed = createReadStream(from);
  packed.on('data', (chunk) => {
    read += chunk.length;
    if (Math.floor((read / size) * PROGRESS_STEPS) === steps) return;
    steps = Math.floor((read / size) * PROGRESS_STEPS);
    onProgress(read / size);
  });
  await pipeline(packed, createBrotliDecompress(), createWriteStream(to, { mode: 0o755, flush: true }), {
    signal,
  });
}

async function unpackLibraries(from: string, folder: string): Promise<void> {
  const tar = await promisify(brotliDecompress)(await readFile(from));
  await unpackTar(tar, folder);
}

async function versionOf(folder: string): Promise<string> {
  const content: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  if (typeof content === 'object' && content !== null && 'version' in content) return String(content.version);
  throw new Error(`${PACKAGE} names no version`);
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
