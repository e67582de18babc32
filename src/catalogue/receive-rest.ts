import { TransferInterrupted } from './download-failures.ts';
import type { Download } from './download-file.ts';
import { SourceFailed } from './fetch-failures.ts';
import type { FileOrigin, PartialFile } from './partial-file.ts';
import { type HubAnswer, requestFile } from './request-file.ts';
import { StallGuard } from './stall-guard.ts';

/** One attempt: requests the missing bytes and appends them. Returns once the file has its full length. */
export async function receiveRest(
  download: Download,
  part: PartialFile,
): Promise<{ readonly isResumed: boolean }> {
  using guard = new StallGuard(download.times.stallMs, download.signal);
  const offset = canResume(download, part) ? part.receivedBytes : 0;
  if (offset > 0 && offset === totalOf(download, part.origin)) return { isResumed: true };
  const answer = await requestFile({ download, part, offset, signal: guard.signal });
  try {
    if (answer.status === 416) return await judgeUnsatisfiable(download, part, answer);
    const isResumed = answer.status === 206 && offset > 0;
    await prepare(download, part, { answer, offset, isResumed });
    await appendBody(download, part, { answer, guard });
    return { isResumed };
  } catch (error) {
    if (guard.hasStalled) throw new TransferInterrupted('the transfer stalled', { cause: error });
    throw error;
  } finally {
    await answer.close();
  }
}

/** Without a validator the bytes may be of another file; a known hash would tell. */
function canResume({ sha256 }: Download, { origin }: PartialFile): boolean {
  return origin !== undefined && (origin.etag !== undefined || sha256 !== undefined);
}

function totalOf(download: Download, origin: FileOrigin | undefined): number | undefined {
  return download.sizeBytes ?? origin?.totalBytes;
}

/** The server has nothing beyond what was received: the file is complete, or a different one. */
async function judgeUnsatisfiable(
  download: Download,
  part: PartialFile,
  { totalBytes }: HubAnswer,
): Promise<{ readonly isResumed: boolean }> {
  const expected = totalOf(download, part.origin) ?? totalBytes;
  if (part.receivedBytes > 0 && part.receivedBytes === expected) return { isResumed: true };
  await part.discard();
  throw new TransferInterrupted('the server has another file than before (416)');
}

interface Beginning {
  readonly answer: HubAnswer;
  readonly offset: number;
  readonly isResumed: boolean;
}

/** Checks that the response is for the requested file before keeping any of it. */
async function prepare(
  download: Download,
  part: PartialFile,
  { answer, offset, isResumed }: Beginning,
): Promise<void> {
  const { totalBytes, contentType } = answer;
  if (/^text\/html\b/i.test(contentType)) throw new SourceFailed('the server answered with a web page');
  if (totalBytes === undefined && download.sizeBytes === undefined) {
    throw new SourceFailed('the server does not say how long the file is');
  }
  if (totalBytes !== undefined && download.sizeBytes !== undefined && totalBytes !== download.sizeBytes) {
    throw new SourceFailed(`the server offers ${totalBytes} bytes instead of ${download.sizeBytes}`);
  }
  if (!isResumed) {
    const { etag, sha256 } = answer;
    await part.restart({
      url: download.url,
      ...(etag !== undefined && { etag }),
      ...(totalBytes !== undefined && { totalBytes }),
      ...(sha256 !== undefined && { sha256 }),
    });
    return;
  }
  const knownTotal = totalOf(download, part.origin);
  if (answer.firstByte === offset && (knownTotal === undefined || totalBytes === knownTotal)) return;
  await part.discard();
  throw new TransferInterrupted('the server sent another part than was asked for');
}

interface Body {
  readonly answer: HubAnswer;
  readonly guard: StallGuard;
}

async function appendBody(download: Download, part: PartialFile, { answer, guard }: Body): Promise<void> {
  const total = totalOf(download, part.origin);
  for await (const chunk of answer.chunks()) {
    guard.count(chunk.length);
    if (total !== undefined && part.receivedBytes + chunk.length > total) {
      await part.discard();
      throw new SourceFailed(`the server sent more than the ${total} bytes of the file`);
    }
    await part.append(chunk);
    download.onBytes(part.receivedBytes, total);
  }
  if (total !== undefined && part.receivedBytes < total) {
    throw new TransferInterrupted(`the transfer ended after ${part.receivedBytes} of ${total} bytes`);
  }
}
