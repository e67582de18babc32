import { afterEach, describe, expect, it } from 'vitest';
import { FakeDocumentReader } from '../../testing/documents/fake-document-reader.ts';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { uploadFile } from '../../testing/files/upload-file.ts';
import { goodKey, HttpGateway, textKey } from '../../testing/http-gateway.ts';
import { multipartBody, multipartType } from '../../testing/multipart.ts';
import { FakeTextEngine, textAnswer } from '../../testing/text/fake-text-engine.ts';

const ROUTES = [
  ['/v1/documents/extract', 'pdf 1: Total 12.50', false],
  ['/v1/images/extract', 'image 1: Total 12.50', true],
] as const;
const [DOCUMENTS] = ROUTES[0];
const schema = JSON.stringify({
  type: 'object',
  properties: { total: { type: 'number' } },
  required: ['total'],
});

let gateway: HttpGateway | undefined;
const reader = new FakeDocumentReader();
const engine = new FakeTextEngine();

afterEach(async () => {
  await gateway?.[Symbol.asyncDispose]();
  gateway = undefined;
  reader.hold = async () => {};
  reader.read.length = 0;
  engine.script = textAnswer('{"total": 12.5}');
  engine.state = 'ready';
  engine.contextWindow = undefined;
  engine.tokens = 10;
  engine.asked.length = 0;
});

async function start(options: Parameters<typeof HttpGateway.start>[0] = {}): Promise<void> {
  engine.script = textAnswer('{"total": 12.5}');
  gateway = await HttpGateway.start({ reader, engines: [['gpu', engine]], ...options });
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

type Entry = readonly [name: string, value: string, fileName?: string];

async function post(path: string, entries: readonly Entry[], signal?: AbortSignal): Promise<Response> {
  if (gateway === undefined) throw new Error('no gateway');
  const body = new FormData();
  for (const [name, value, fileName] of entries) {
    if (fileName === undefined) body.append(name, value);
    else body.append(name, new Blob([value]), fileName);
  }
  const headers = { authorization: `Bearer ${goodKey}` };
  return await fetch(gateway.url + path, {
    method: 'POST',
    headers,
    body,
    ...(signal === undefined ? {} : { signal }),
  });
}

describe.each(ROUTES)('POST %s', (path, content, ocrUsed) => {
  const file: Entry = ['file', content, 'a'];

  it('answers with the data, the numbers of its input and the usage, and nothing else', async () => {
    await start();
    const answer = await post(path, [file, ['schema', schema]]);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      data: { total: 12.5 },
      pages: 1,
      files: 1,
      ocr_used: ocrUsed,
      usage: { prompt_tokens: 10, completion_tokens: 2 },
    });
  });

  it('combines `file` and `files` in the order sent', async () => {
    await start();
    const files: readonly Entry[] = [['files', content, 'one'], file, ['files', content, 'three']];
    const answer = await post(path, [['schema', schema], ...files]);
    expect(await answer.json()).toMatchObject({ files: 3, pages: 3 });
    expect(JSON.stringify(engine.asked[0]?.turns)).toMatch(
      /File 1 of 3: .{1,2}one\b.*File 2 of 3: .{1,2}a\b.*File 3 of 3: .{1,2}three\b/,
    );
  });

  it('takes stored files by their ids, after those that were sent', async () => {
    await start();
    if (gateway === undefined) return;
    const id = await uploadFile(gateway, goodKey, { name: 'stored', bytes: content });
    const ids: readonly Entry[] = [
      ['file_id', id],
      ['file_id', id],
    ];
    const answer = await post(path, [...ids, file, ['schema', schema]]);
    expect(await answer.json()).toMatchObject({ data: { total: 12.5 }, files: 3 });
    expect(JSON.stringify(engine.asked[0]?.turns)).toMatch(
      /File 1 of 3: .{1,2}a\b.*File 2 of 3: .{1,2}stored\b.*File 3 of 3: .{1,2}stored\b/,
    );
    const foreign = await uploadFile(gateway, textKey, { name: 'a', bytes: content });
    const refused = await post(path, [
      ['file_id', foreign],
      ['schema', schema],
    ]);
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { detail: expect.stringContaining('`file_id` must be the id of a file of this stack') },
    ]);
  });

  it('adds citations where they are asked for', async () => {
    await start();
    const answer = await post(path, [file, ['schema', schema], ['citations', 'true']]);
    expect(await answer.json()).toMatchObject({
      data: { total: 12.5 },
      citations: { total: { file: 1, page: 1, quote: '12.50' } },
    });
  });

  it('adds how likely each value is, where that is asked for and the engine tells', async () => {
    await start();
    const asked: readonly Entry[] = [file, ['schema', schema], ['confidence', 'true']];
    expect(await (await post(path, asked)).json()).toMatchObject({ confidence: { total: null } });
    const tokens = [...'{"total": 12.5}'].map((sign) => ({
      bytes: Buffer.from(sign),
      logProbability: sign === '1' ? Math.log(0.5) : 0,
    }));
    engine.script = textAnswer('{"total": 12.5}').map((events) =>
      events.map((event) => (event.type === 'finish' ? { ...event, tokens } : event)),
    );
    expect(await (await post(path, asked)).json()).toMatchObject({ confidence: { total: 0.5 } });
    expect(engine.asked.at(-1)?.output).toMatchObject({ tellsProbabilities: true });
    const plain = await (await post(path, asked.slice(0, 2))).json();
    expect(plain).not.toHaveProperty('confidence');
    expect(engine.asked.at(-1)?.output).not.toHaveProperty('tellsProbabilities');
  });

  const other = path === DOCUMENTS ? 'image 1: x' : 'pdf 1: x';
  const large = path === DOCUMENTS ? 'pdf 51: x' : 'image 21: x';
  const refusals: readonly (readonly [number, string, readonly Entry[]])[] = [
    [422, 'no file', [['schema', schema]]],
    [422, 'no schema', [file]],
    [422, 'max_tokens out of range', [file, ['schema', schema], ['max_tokens', '16001']]],
    [413, 'a large schema', [file, ['schema', `{"description": "${'x'.repeat(65_536)}"}`]]],
    [413, 'a schema of 5 MB', [file, ['schema', `{"description": "${'x'.repeat(5_000_000)}"}`]]],
    [413, 'a long `user`', [file, ['schema', schema], ['user', 'x'.repeat(5_000_000)]]],
    [400, 'a schema that is none', [file, ['schema', '{"type": 7}']]],
    [413, 'too many files', [...Array.from({ length: 11 }, () => file), ['schema', schema]]],
    [
      413,
      'too much to read',
      [
        ['file', large, 'a'],
        ['schema', schema],
      ],
    ],
    [
      400,
      'another kind of file',
      [
        ['file', other, 'a'],
        ['schema', schema],
      ],
    ],
    [400, 'an empty file among others', [file, ['files', '', 'empty'], ['schema', schema]]],
  ];

  it.each(refusals)('answers %i in the shape of its family: %s', async (status, _, entries) => {
    await start();
    const answer = await post(path, entries);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ detail: expect.any(String) });
    expect(reader.read).toEqual([]);
  });
});

describe('a file without a name and without a byte', () => {
  it.each([
    [400, 'application/pdf', undefined],
    [400, 'image/png', ''],
    [422, 'application/octet-stream', ''],
  ])('is %i where its type is %s', async (status, contentType, fileName) => {
    await start();
    const body = multipartBody([
      { name: 'file', contentType, bytes: Buffer.alloc(0), ...(fileName === undefined ? {} : { fileName }) },
      { name: 'schema', text: schema },
    ]);
    const headers = { authorization: `Bearer ${goodKey}`, 'content-type': multipartType };
    const answer = await fetch(`${gateway?.url}${DOCUMENTS}`, { method: 'POST', headers, body });
    expect(answer.status).toBe(status);
    const message =
      status === 400 ? 'The file "file-1" is empty.' : expect.stringMatching(/^Send at least one file/);
    expect(await answer.json()).toEqual({ detail: message });
  });
});

describe('an extraction that fails', () => {
  const asked: readonly Entry[] = [
    ['file', 'pdf 1: Total 12.50', 'a.pdf'],
    ['schema', schema],
  ];

  it('is 400 with the numbers where the text is over the window', async () => {
    await start();
    engine.contextWindow = 5_000;
    reader.hold = async () => {
      engine.tokens = 7_000;
    };
    const answer = await post(DOCUMENTS, asked);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { detail: expect.stringContaining('7000 tokens > 1000') },
    ]);
  });

  it('is 502 with the raw output where the model does not follow the schema', async () => {
    await start();
    engine.script = textAnswer('{"total": "much"}');
    const answer = await post(DOCUMENTS, asked);
    expect([answer.status, await answer.json()]).toEqual([
      502,
      { detail: expect.any(String), raw_output: '{"total": "much"}' },
    ]);
  });

  it('is 503 where the model is not there', async () => {
    await start();
    engine.state = 'starting';
    expect((await post(DOCUMENTS, asked)).status).toBe(503);
  });

  it('is 504 after its time limit, and the work is stopped', async () => {
    await start({ extractionMs: 20 });
    reader.hold = untilAborted;
    const answer = await post(DOCUMENTS, asked);
    expect([answer.status, await answer.json()]).toEqual([
      504,
      { detail: expect.stringMatching(/stopped after [\d.]+ seconds, since it may take 0.02;/) },
    ]);
    await expect.poll(() => gateway?.inFlight()).toBe(0);
    expect(engine.asked).toEqual([]);
  });

  it('stops when the client leaves, and leaves nothing behind', async () => {
    await start();
    const leaving = new AbortController();
    let stopped = false;
    reader.hold = async (signal) => {
      leaving.abort();
      await untilAborted(signal);
      stopped = true;
    };
    await expect(post(DOCUMENTS, asked, leaving.signal)).rejects.toThrow();
    await expect.poll(() => gateway?.inFlight()).toBe(0);
    expect([stopped, engine.asked]).toEqual([true, []]);
  });

  it('says on the plan Go that several files need a higher plan', async () => {
    const directory = new FakeCallerDirectory();
    directory.add(goodKey, makeCaller({ plan: 'go' }));
    await start({ directory });
    const answer = await post(DOCUMENTS, [...asked, ['files', 'pdf 1: x', 'b.pdf']]);
    expect([answer.status, await answer.json()]).toEqual([
      413,
      { detail: expect.stringContaining('plan pro') },
    ]);
  });
});
