import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { childProcesses } from '../../../testing/child-processes.ts';
import { pngChunk, pngSignature } from '../../../testing/png-chunks.ts';
import { ocrTestModels } from '../../../testing/reading/ocr-test-models.ts';
import type { ChildEvent } from '../../supervision/supervised-options.ts';
import { EmbeddedDocumentReader } from '../embedded/embedded-document-reader.ts';
import { defaultPdfWorkers, PdfWorkers } from '../pdf/pdf-workers.ts';
import { EmbeddedOcr, type EmbeddedOcrOptions } from './embedded-ocr.ts';

const files = await ocrTestModels();
const pdf = new PdfWorkers({ ...defaultPdfWorkers, workers: 1 });
const { signal } = new AbortController();
const small = await picture(64, 48);
const large = await shadedPicture(1_500, 2_000);
/** An idle process uses none; the large picture takes about a second. */
const AT_WORK_TICKS = 20;
let opened: EmbeddedOcr | undefined;

afterEach(async () => {
  await opened?.stop(AbortSignal.abort());
  opened = undefined;
});
afterAll(() => pdf.stop(AbortSignal.abort()));

describe.skipIf(files === undefined)('a process that reads pictures', () => {
  it.each([
    ['crashes', 'SIGSEGV'],
    ['runs out of memory', 'SIGKILL'],
    ['hangs', 'SIGSTOP'],
  ] as const)('that %s costs one request a 400, and the next is served', async (_, signalName) => {
    const reader = open({ pageMs: signalName === 'SIGSTOP' ? 5_000 : 60_000 });
    await reader.readImage({ stackId: 'shop', bytes: small }, signal);
    const [pid = 0] = childProcesses('ocr-child');
    const idleTicks = cpuTicks(pid);
    const reading = reader.readImage({ stackId: 'shop', bytes: large, name: 'a.png' }, signal);
    const refused = expect(reading).rejects.toMatchObject({
      status: 400,
      code: 'document-unreadable',
      message: expect.stringContaining('The image "a.png" takes more time or memory'),
    });
    await expect.poll(() => cpuTicks(pid)).toBeGreaterThan(idleTicks + AT_WORK_TICKS);
    process.kill(pid, signalName);
    await refused;
    expect(await reader.readImage({ stackId: 'shop', bytes: small }, signal)).toMatchObject({
      ocrUsed: true,
    });
    expect(childProcesses('ocr-child')).not.toContain(pid);
  });

  it('refuses a picture that says it is enormous without decoding it, and goes on', async () => {
    const reader = open({});
    const bomb = reader.readImage(
      { stackId: 'shop', bytes: claimingPng(60_000, 60_000), name: 'bomb.png' },
      signal,
    );
    await expect(bomb).rejects.toMatchObject({ status: 400, code: 'document-unreadable' });
    const [pid] = childProcesses('ocr-child');
    expect(await reader.readImage({ stackId: 'shop', bytes: small }, signal)).toMatchObject({
      ocrUsed: true,
    });
    expect(childProcesses('ocr-child')).toEqual([pid]);
  });

  it.each([
    ['after so many pages', { recycleAfterPages: 2 }, [0, 0, 1]],
    ['once it has grown', { recycleOverBytes: 1 }, [0, 1, 2]],
    ['not before', {}, [0, 0, 0]],
  ])('is replaced by a fresh one: %s', async (_, options, expected) => {
    const events: ChildEvent[] = [];
    const reader = open({ ...options, observe: (event) => events.push(event) });
    const starts: number[] = [];
    for (let page = 0; page < 3; page += 1) {
      await reader.readImage({ stackId: 'shop', bytes: small }, signal);
      starts.push(events.filter(({ type }) => type === 'child-ready').length - 1);
    }
    expect(starts).toEqual(expected);
    expect(childProcesses('ocr-child').length).toBeLessThanOrEqual(1);
  });
});

function open(options: Partial<EmbeddedOcrOptions>): EmbeddedDocumentReader {
  opened = new EmbeddedOcr({
    files: files ?? { detector: '', recogniser: '' },
    threads: 1,
    pageMs: 60_000,
    ...options,
  });
  return new EmbeddedDocumentReader({ pdf, ocr: opened });
}

/** User and system time of a process, in hundredths of a second. */
function cpuTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

function picture(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
}

/** A gradient, so that no part of it is empty paper. */
function shadedPicture(width: number, height: number): Promise<Buffer> {
  const pixels = Uint8Array.from({ length: width * height }, (_, index) => ((index % width) * 255) / width);
  return sharp(pixels, { raw: { width, height, channels: 1 } })
    .png()
    .toBuffer();
}

/** A PNG of a few bytes whose header claims gigabytes. */
function claimingPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const data = pngChunk('IDAT', deflateSync(Buffer.alloc(1_000)));
  return Buffer.concat([pngSignature, pngChunk('IHDR', header), data, pngChunk('IEND', Buffer.alloc(0))]);
}
