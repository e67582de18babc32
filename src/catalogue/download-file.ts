import { open } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { TransferInterrupted } from './download-failures.ts';
import { SourceFailed } from './fetch-failures.ts';
import { fileSha256 } from './file-sha256.ts';
import { PartialFile } from './partial-file.ts';
import { receiveRest } from './receive-rest.ts';
import type { FetchTimes } from './source-job.ts';

/** Consecutive attempts without progress. */
const MAX_IDLE_ATTEMPTS = 4;
/** Attempts in total, even with progress. */
const MAX_ATTEMPTS = 200;

export interface Download {
  readonly url: string;
  /** Where it is received; kept after an interruption. */
  readonly path: string;
  /** Absent if unknown. */
  readonly sizeBytes?: number;
  /** Absent if unknown; the hash announced by the hub is then used, if there is one. */
  readonly sha256?: string;
  readonly times: FetchTimes;
  readonly signal: AbortSignal;
  readonly onBytes: (receivedBytes: number, totalBytes: number | undefined) => void;
}

/** Downloads and verifies a file, resuming an earlier attempt or process; throws SourceFailed. */
export async function downloadFile(download: Download): Promise<{ readonly sha256: string }> {
  await using part = await PartialFile.open(download.path, download.url);
  let idleAttempts = 0;
  for (let attempt = 1; ; attempt++) {
    const before = part.receivedBytes;
    try {
      const { isResumed } = await receiveRest(download, part);
      await part.sync();
      return { sha256: await verify(download, part, { isResumed }) };
    } catch (error) {
      download.signal.throwIfAborted();
      if (!(error instanceof TransferInterrupted)) throw error;
      idleAttempts = part.receivedBytes > before ? 0 : idleAttempts + 1;
      if (idleAttempts >= MAX_IDLE_ATTEMPTS || attempt >= MAX_ATTEMPTS) {
        throw new SourceFailed(error.message, { cause: error });
      }
      await delay(pauseMs(download.times, idleAttempts, error), undefined, { signal: download.signal });
    }
  }
}

function pauseMs(
  { firstPauseMs, maxPauseMs }: FetchTimes,
  idleAttempts: number,
  error: TransferInterrupted,
): number {
  return Math.min(maxPauseMs, Math.max(firstPauseMs * 2 ** idleAttempts, error.retryAfterMs));
}

/** Checks the hash. Wrong bytes are discarded, and downloaded once more if they came from several transfers. */
async function verify(
  download: Download,
  part: PartialFile,
  { isResumed }: { readonly isResumed: boolean },
): Promise<string> {
  const expected = download.sha256 ?? part.origin?.sha256;
  const problem = await problemOf(download, part.path, expected);
  if (problem.message === undefined) return problem.sha256;
  await part.discard();
  if (isResumed) throw new TransferInterrupted(problem.message);
  throw new SourceFailed(problem.message);
}

async function problemOf(
  download: Download,
  path: string,
  expected: string | undefined,
): Promise<{ readonly sha256: string; readonly message?: string }> {
  const sha256 = await fileSha256(path, download.signal);
  if (expected !== undefined) {
    return sha256 === expected
      ? { sha256 }
      : {
          sha256,
          message: `the bytes are not the expected ones: SHA-256 ${sha256}, expected ${expected}`,
        };
  }
  const isModel = !/\.gguf\.part$/i.test(path) || (await beginsWith(path, 'GGUF'));
  return isModel ? { sha256 } : { sha256, message: 'what the server sent is no GGUF file' };
}

async function beginsWith(path: string, magic: string): Promise<boolean> {
  await using file = await open(path, 'r');
  const { buffer } = await file.read(Buffer.alloc(magic.length), 0, magic.length, 0);
  return buffer.toString('latin1') === magic;
}
