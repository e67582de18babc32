import { readdir, readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { hasErrorCode } from '../../lib/error-code.ts';

const compress = promisify(brotliCompress);
/** Scripts are smaller by a tenth at the highest level, which takes fifty times as long. */
const LEVEL = 5;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};
const COMPRESSED_ALREADY: ReadonlySet<string> = new Set(['.png', '.woff2']);

/** A file of the console. */
export interface ConsoleFile {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** Made when it is first asked for; absent: it would not be smaller. */
  readonly brotli: (() => Promise<Buffer>) | undefined;
}

/** The built files of the console, read once. Only these names are served, so no path leads elsewhere. */
export class ConsoleFiles {
  readonly #folder: string;
  #files: Promise<ReadonlyMap<string, ConsoleFile> | undefined> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A file by its name, such as `assets/main.js`; `undefined` if there is none. Says `not-built` if there are no files at all. */
  async find(name: string): Promise<ConsoleFile | 'not-built' | undefined> {
    this.#files ??= readFiles(this.#folder);
    const files = await this.#files;
    if (files?.has('index.html') === true) return files.get(name);
    // It may be built while the gateway runs.
    this.#files = undefined;
    return 'not-built';
  }
}

async function readFiles(folder: string): Promise<ReadonlyMap<string, ConsoleFile> | undefined> {
  try {
    const names = await readdir(folder, { recursive: true });
    const known = names.filter((name) => extname(name) in TYPES);
    const files = await Promise.all(known.map((name) => readOne(folder, name)));
    return new Map(files);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function readOne(folder: string, name: string): Promise<[string, ConsoleFile]> {
  const bytes = await readFile(join(folder, name));
  const extension = extname(name);
  let made: Promise<Buffer> | undefined;
  const brotli = () => {
    made ??= compress(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: LEVEL } });
    return made;
  };
  return [
    name.split(sep).join('/'),
    {
      contentType: TYPES[extension] ?? '',
      bytes,
      brotli: COMPRESSED_ALREADY.has(extension) ? undefined : brotli,
    },
  ];
}
