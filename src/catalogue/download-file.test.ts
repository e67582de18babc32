import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { closedPort } from '../../testing/closed-port.ts';
import { makeDataFolder } from '../../testing/data-folder.ts';
import { madeModel, sha256Of } from '../../testing/models/made-files.ts';
import {
  cutAfter,
  etagOf,
  type FileAnswer,
  honest,
  ModelServer,
  otherBytes,
  redirect,
  shiftedPart,
  silence,
  stallAfter,
  status,
  unmeasured,
  webPage,
  wholeAgain,
} from '../../testing/models/model-server.ts';
import { type Download, downloadFile } from './download-file.ts';

const model = madeModel(300_000);
const patient = { stallMs: 20_000, firstPauseMs: 1, maxPauseMs: 5, lookMs: 10 };
const hasty = { ...patient, stallMs: 60 };
const pinned = { sizeBytes: model.length, sha256: sha256Of(model) };

async function serve(...script: FileAnswer[]): Promise<ModelServer> {
  const server = await ModelServer.open(model, ...script);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

function request(url: string, details: Partial<Download> = {}): Download {
  const path = join(makeDataFolder(), 'model.gguf.part');
  const signal = new AbortController().signal;
  return { url, path, times: patient, signal, onBytes: () => {}, ...details };
}

describe('a download', () => {
  it("returns the file's hash and reports progress", async () => {
    const server = await serve();
    const told: (number | undefined)[][] = [];
    const download = request(server.url, { ...pinned, onBytes: (...bytes) => void told.push(bytes) });
    expect(await downloadFile(download)).toEqual({ sha256: pinned.sha256 });
    expect(readFileSync(download.path).equals(model)).toBe(true);
    expect(told.at(-1)).toEqual([model.length, model.length]);
  });

  it('asks only for the rest after a cut, and only of the same file', async () => {
    const server = await serve(cutAfter(100_000), cutAfter(50_000));
    const download = request(server.url, pinned);
    await downloadFile(download);
    expect(readFileSync(download.path).equals(model)).toBe(true);
    expect(server.seen).toHaveLength(3);
    const offsets = server.seen.map(({ range }) => Number(/\d+/.exec(range ?? '0')?.[0]));
    expect(offsets[1]).toBeGreaterThan(0);
    expect(offsets[2]).toBeGreaterThan(offsets[1] ?? 0);
    expect(server.seen[2]?.ifRange).toBe(etagOf(model));
  });

  it('resumes in another process', async () => {
    const server = await serve(stallAfter(100_000));
    const stop = new AbortController();
    const download = request(server.url, {
      ...pinned,
      signal: stop.signal,
      onBytes: (received) => received >= 100_000 && stop.abort(),
    });
    await expect(downloadFile(download)).rejects.toThrow('aborted');
    await downloadFile({ ...download, signal: new AbortController().signal });
    expect(readFileSync(download.path).equals(model)).toBe(true);
    expect(server.seen[1]?.range).toBe('bytes=100000-');
  });

  it('restarts if the server does not support ranges', async () => {
    const server = await serve(cutAfter(100_000), wholeAgain);
    const download = request(server.url, pinned);
    await downloadFile(download);
    expect(readFileSync(download.path).equals(model)).toBe(true);
    expect(server.seen).toHaveLength(2);
  });

  it('restarts if the file changed on the server', async () => {
    const changed = madeModel(250_000, 'changed');
    const server = await serve(cutAfter(100_000), (exchange) => {
      server.content = changed;
      status(503)(exchange);
    });
    const download = request(server.url);
    expect(await downloadFile(download)).toEqual({ sha256: sha256Of(changed) });
    expect(readFileSync(download.path).equals(changed)).toBe(true);
  });

  it('does not resume a part from another address', async () => {
    const [first, second] = [await serve(cutAfter(100_000), status(404)), await serve()];
    const download = request(first.url, pinned);
    await expect(downloadFile(download)).rejects.toThrow('404');
    await downloadFile({ ...download, url: second.url });
    expect(second.seen[0]?.range).toBeUndefined();
    expect(readFileSync(download.path).equals(model)).toBe(true);
  });

  it('leaves no other file beside the part and its origin', async () => {
    const server = await serve(cutAfter(1000));
    const download = request(server.url, pinned);
    await downloadFile(download);
    expect(readdirSync(dirname(download.path)).sort()).toEqual(['model.gguf.part', 'model.gguf.part.json']);
  });
});

describe('a server that stalls', () => {
  it.each([
    ['midway', stallAfter(100_000)],
    ['before its first word', silence],
  ])('%s is given up and asked again', async (_when, answer) => {
    const server = await serve(answer);
    const download = request(server.url, { ...pinned, times: hasty });
    await downloadFile(download);
    expect(readFileSync(download.path).equals(model)).toBe(true);
    expect(server.seen.length).toBeGreaterThan(1);
  });

  it('forever fails with its reason', async () => {
    const server = await serve(...Array.from({ length: 10 }, () => silence));
    await expect(downloadFile(request(server.url, { ...pinned, times: hasty }))).rejects.toThrow(
      /does not answer|stalled/,
    );
    expect(server.seen).toHaveLength(4);
  });
});

describe('a server that lies', () => {
  it('about the length is refused before a byte is kept', async () => {
    const server = await serve(({ response }) =>
      response.writeHead(200, { 'content-length': 5 }).end('short'),
    );
    const download = request(server.url, pinned);
    await expect(downloadFile(download)).rejects.toThrow('the server offers 5 bytes instead of 300000');
    expect(readFileSync(download.path)).toHaveLength(0);
  });

  it('without a length is accepted if the catalogue knows it', async () => {
    const server = await serve(unmeasured(model));
    expect(await downloadFile(request(server.url, pinned))).toEqual({ sha256: pinned.sha256 });
  });

  it('with more bytes than the file has is stopped', async () => {
    const server = await serve(unmeasured(Buffer.concat([model, model])));
    await expect(downloadFile(request(server.url, pinned))).rejects.toThrow('more than the 300000 bytes');
  });

  it('with other bytes is refused, and they are thrown away', async () => {
    const server = await serve(otherBytes);
    const download = request(server.url, pinned);
    await expect(downloadFile(download)).rejects.toThrow('the bytes are not the expected ones');
    expect(readFileSync(download.path)).toHaveLength(0);
    expect(server.seen).toHaveLength(1);
  });

  it('with other bytes in a resumed part is asked for the whole file again', async () => {
    const server = await serve(cutAfter(100_000), otherBytes);
    const download = request(server.url, pinned);
    await downloadFile(download);
    expect(readFileSync(download.path).equals(model)).toBe(true);
    expect(server.seen.at(-1)?.range).toBeUndefined();
  });

  it('about the offset of a part is asked for the whole file again', async () => {
    const server = await serve(cutAfter(100_000), shiftedPart);
    const download = request(server.url, pinned);
    await downloadFile(download);
    expect(readFileSync(download.path).equals(model)).toBe(true);
    expect(server.seen).toHaveLength(3);
  });

  it('with a web page instead of a file is refused', async () => {
    const server = await serve(webPage);
    await expect(downloadFile(request(server.url, pinned))).rejects.toThrow('a web page');
  });

  it('with something that is no model is refused, even where no hash is known', async () => {
    const server = await serve();
    server.content = Buffer.from('{"error":"not found"}');
    await expect(downloadFile(request(server.url))).rejects.toThrow('no GGUF file');
  });

  it('without a length is refused if none is known', async () => {
    const server = await serve(unmeasured(model));
    await expect(downloadFile(request(server.url))).rejects.toThrow('does not say how long');
  });
});

describe('a server that says no', () => {
  it('temporarily is retried', async () => {
    const server = await serve(status(503, { 'retry-after': '0' }), status(429), honest);
    await downloadFile(request(server.url, pinned));
    expect(server.seen).toHaveLength(3);
  });

  it('permanently is not retried', async () => {
    const server = await serve(status(404));
    await expect(downloadFile(request(server.url, pinned))).rejects.toThrow('the server answered 404');
    expect(server.seen).toHaveLength(1);
  });

  it('repeatedly is given up after four attempts', async () => {
    const server = await serve(...Array.from({ length: 10 }, () => status(500)));
    await expect(downloadFile(request(server.url, pinned))).rejects.toThrow('the server answered 500');
    expect(server.seen).toHaveLength(4);
  });

  it('to a range (416) is asked for the whole file', async () => {
    const server = await serve(cutAfter(100_000), status(416, { 'content-range': 'bytes */300000' }));
    const download = request(server.url, pinned);
    await downloadFile(download);
    expect(server.seen.map(({ range }) => range !== undefined)).toEqual([false, true, false]);
  });

  it('is not asked at all if the file is complete', async () => {
    const server = await serve();
    const download = request(server.url, pinned);
    await downloadFile(download);
    await downloadFile(download);
    expect(server.seen).toHaveLength(1);
  });

  it('refusing connections is reported with the system error', async () => {
    const url = `http://127.0.0.1:${await closedPort()}/model.gguf`;
    await expect(downloadFile(request(url, pinned))).rejects.toThrow(/cannot be reached \(ECONNREFUSED\)/);
  });
});

describe('a redirect', () => {
  it('is followed, with the range', async () => {
    const target = await serve(cutAfter(100_000));
    const server = await serve(redirect(target.url), redirect(target.url));
    await downloadFile(request(server.url, pinned));
    expect(target.seen[1]?.range).toMatch(/^bytes=\d+-$/);
  });

  it('carries the hash that the hub announces, and the file must have it', async () => {
    const target = await serve();
    const announce = (hash: string) => redirect(target.url, { 'x-linked-etag': `"${hash}"` });
    const server = await serve(announce(pinned.sha256), announce('0'.repeat(64)));
    expect(await downloadFile(request(server.url))).toEqual({ sha256: pinned.sha256 });
    await expect(downloadFile(request(server.url))).rejects.toThrow(`expected ${'0'.repeat(64)}`);
  });

  it('that never ends, or leads to another protocol, is refused', async () => {
    const server = await serve(
      ...Array.from({ length: 6 }, () => redirect('/again')),
      redirect('file:///etc/passwd'),
    );
    await expect(downloadFile(request(server.url, pinned))).rejects.toThrow('more than 5 times');
    await expect(downloadFile(request(server.url, pinned))).rejects.toThrow('redirects to file://');
  });
});

it('a part with a damaged origin is ignored', async () => {
  const server = await serve();
  const download = request(server.url, pinned);
  writeFileSync(download.path, Buffer.alloc(1000));
  writeFileSync(`${download.path}.json`, '{"url":');
  await downloadFile(download);
  expect(server.seen[0]?.range).toBeUndefined();
  expect(readFileSync(download.path).equals(model)).toBe(true);
});
