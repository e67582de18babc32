import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type CatalogueFile, expectedBytes, type HubSource, modelBytes } from './catalogue-entry.ts';
import { downloadFile } from './download-file.ts';
import { SourceFailed } from './fetch-failures.ts';
import type { FetchedFile } from './model-folder.ts';
import type { SourceJob } from './source-job.ts';

/** Downloads every file of a model by HTTP, resuming earlier fetches. */
export async function fetchFromHub(job: SourceJob, source: HubSource): Promise<readonly FetchedFile[]> {
  const already = await Promise.all(job.entry.files.map((file) => bytesOf(partPath(job, file))));
  await job.reserve(modelBytes(job.entry) - sum(already));
  const fetched: FetchedFile[] = [];
  let earlierBytes = 0;
  for (const file of job.entry.files) {
    const result = await fetchFile(job, { source, file, earlierBytes });
    fetched.push(result);
    earlierBytes += await bytesOf(result.path);
  }
  return fetched;
}

interface OneFile {
  readonly source: HubSource;
  readonly file: CatalogueFile;
  /** Bytes of the files before this one. */
  readonly earlierBytes: number;
}

async function fetchFile(job: SourceJob, { source, file, earlierBytes }: OneFile): Promise<FetchedFile> {
  const url = source.downloads.find((download) => download.file === file.name)?.url;
  if (url === undefined) throw new SourceFailed(`it has no address for ${file.name}`);
  const path = partPath(job, file);
  const sha256 = await job.expectedSha256(file);
  const laterBytes = modelBytes(job.entry) - expectedBytes(file) - earlierBytes;
  const downloaded = await downloadFile({
    url,
    path,
    ...('sizeBytes' in file && { sizeBytes: file.sizeBytes }),
    ...(sha256 !== undefined && { sha256 }),
    times: job.times,
    signal: job.signal,
    onBytes: (receivedBytes, totalBytes) =>
      job.onProgress({
        source: new URL(url).host,
        receivedBytes: earlierBytes + receivedBytes,
        totalBytes: earlierBytes + (totalBytes ?? expectedBytes(file)) + Math.max(0, laterBytes),
      }),
  });
  return { file, path, sha256: downloaded.sha256 };
}

function partPath({ workFolder }: SourceJob, { name }: CatalogueFile): string {
  return join(workFolder, `${name}.part`);
}

async function bytesOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
