import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { UploadSpool } from './upload-spool.ts';

const folder = mkdtempSync(join(tmpdir(), 'stackgate-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('writes two uploads at a time, in turns among stacks', async () => {
  const checks: (() => void)[] = [];
  // Each new file asks for the room on the disk before its first write.
  const requireDisk = () => new Promise<void>((resolve) => void checks.push(resolve));
  const spool = new UploadSpool(join(folder, 'uploads'), requireDisk);
  const written: string[] = [];
  const uploads = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) => {
    const upload = spool.open(name.charAt(0));
    upload.write(Buffer.from(name), () => void written.push(name));
    return upload;
  });
  for (let done = 0; done < uploads.length; done += 1) {
    await expect.poll(() => checks.length).toBe(Math.min(done + 2, uploads.length));
    checks[done]?.();
    await expect.poll(() => written).toHaveLength(done + 1);
  }
  expect(written).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
  const texts = await Promise.all(uploads.map(async (upload) => (await upload.takeBack()).toString()));
  expect(texts).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
});
