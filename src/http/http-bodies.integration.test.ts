import { readdirSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answerProblems } from '../../testing/answer-problems.ts';
import { call, expectSound, jsonCall } from '../../testing/http-call.ts';
import { goodKey, HttpGateway, textKey } from '../../testing/http-gateway.ts';
import { multipartBody, multipartType } from '../../testing/multipart.ts';
import type { RawAnswer, RawClient } from '../../testing/raw-client.ts';
import { unreadyPath, unreadyRoute } from '../../testing/scripted-route.ts';

const MIB = 1024 * 1024;
const CAP = 32 * MIB;
const path = unreadyPath;
const head = (...lines: readonly string[]) =>
  `${[`POST ${path} HTTP/1.1`, 'host: a', `authorization: Bearer ${goodKey}`, 'content-type: application/json', ...lines].join('\r\n')}\r\n\r\n`;
const chunked = (data: Buffer | string) =>
  Buffer.concat([
    Buffer.from(`${Buffer.byteLength(data).toString(16)}\r\n`),
    Buffer.from(data),
    Buffer.from('\r\n'),
  ]);

let gateway: HttpGateway;
let client: RawClient;
beforeEach(async () => {
  gateway = await HttpGateway.start({ routes: [unreadyRoute] });
  client = await gateway.connect();
});
afterEach(async () => {
  await client[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
});

const soundAnswer = async (): Promise<RawAnswer> => {
  const answer = await client.answer();
  expectSound(gateway, { method: 'POST', path }, answer);
  return answer;
};

/** Sends a chunk again and again until the gateway has answered; returns the number of chunks. */
async function sendUntilAnswered(chunk: Buffer, atMost: number): Promise<number> {
  for (let sent = 1; sent <= atMost; sent++) {
    await client.send(chunk);
    if (client.unread !== '' || client.ended) return sent;
  }
  return atMost;
}

describe('a body over the cap', () => {
  it('is refused by its declared length, before any of it is sent', async () => {
    await client.send(head(`content-length: ${CAP + 1}`));
    const answer = await soundAnswer();
    expect([answer.status, answer.headers.connection]).toEqual([413, 'close']);
    expect(answer.body).toContain(`${CAP} bytes`);
  });

  it('is refused without "100 Continue"', async () => {
    await client.send(head(`content-length: ${CAP + 1}`, 'expect: 100-continue'));
    expect((await soundAnswer()).status).toBe(413);
  });

  it('is refused in chunks as soon as the cap is passed', async () => {
    await client.send(head('transfer-encoding: chunked'));
    const chunk = chunked(Buffer.alloc(4 * MIB, ' '));
    expect(await sendUntilAnswered(chunk, 20)).toBeLessThanOrEqual(12);
    expect((await soundAnswer()).status).toBe(413);
  });

  it('may be exactly the cap', async () => {
    await client.send(head(`content-length: ${CAP}`));
    await client.send(Buffer.concat([Buffer.from('"'), Buffer.alloc(CAP - 2, 'x'), Buffer.from('"')]));
    expect((await soundAnswer()).status).toBe(503);
  });

  it('shows its answer to a client that first sends everything and only then reads', async () => {
    await client.send(head(`content-length: ${CAP + MIB}`));
    await client.send(Buffer.alloc(CAP + MIB, ' '));
    expect((await soundAnswer()).status).toBe(413);
    await client.closed();
    expect(await gateway.inFlight()).toBe(0);
  });

  it('shows its answer to a client that never stops sending, and then closes', async () => {
    await client.send(head('transfer-encoding: chunked'));
    const chunk = chunked(Buffer.alloc(MIB, ' '));
    let sending = true;
    const flood = (async () => {
      while (sending && !client.ended) await client.send(chunk);
    })();
    expect((await soundAnswer()).status).toBe(413);
    await client.closed();
    sending = false;
    await flood;
    await expect.poll(() => gateway.inFlight()).toBe(0);
    await expect.poll(() => gateway.connections()).toBe(0);
  });

  it('closes the connection of a client that sends nothing more', async () => {
    await client.send(head(`content-length: ${CAP + 1}`));
    await soundAnswer();
    await client.closed();
    await expect.poll(() => gateway.inFlight()).toBe(0);
  });

  it('shows its answer to fetch', async () => {
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${goodKey}`, 'content-type': 'application/json' },
      body: Buffer.alloc(CAP + MIB, ' '),
    });
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error' } });
  });

  it("shows its answer to Node's own client", async () => {
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(gateway.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${goodKey}`, 'content-type': 'application/json' },
      });
      request.on('error', reject);
      request.on('response', (response) => resolve(response.resume().statusCode));
      request.end(Buffer.alloc(CAP + MIB, ' '));
    });
    expect(answer).toBe(413);
  });

  it('is refused on image routes with the code of that family', async () => {
    const length = String(21 * MIB + 1);
    const answer = await call(gateway, {
      method: 'POST',
      path: '/v1/images/edits',
      key: goodKey,
      headers: { 'content-length': length, 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([413, 'image_too_large']);
  });

  it.each([
    ['/v1/documents/extract', 26_048_576],
    ['/v1/images/extract', 16_048_576],
  ])('is that of the plan and one MiB for the form: %s', async (path, cap) => {
    const headers = { 'content-type': multipartType };
    const over = { ...headers, 'content-length': String(cap + 1) };
    expect((await call(gateway, { method: 'POST', path, key: goodKey, headers: over })).status).toBe(413);
    const overhead = multipartBody([{ name: 'file', fileName: 'x' }]).length;
    const body = multipartBody([{ name: 'file', fileName: 'x', bytes: Buffer.alloc(cap - overhead) }]);
    expect(body.length).toBe(cap);
    // It has no schema.
    expect((await call(gateway, { method: 'POST', path, key: goodKey, headers, body })).status).toBe(422);
  });
});

describe('a refused body', () => {
  it('that is small leaves the connection usable', async () => {
    const bad = head('content-length: 1001').replace('sk-good', 'sk-bad');
    await client.send(bad);
    expect((await client.answer()).status).toBe(401);
    await client.send(Buffer.alloc(1001));
    await client.send(head('content-length: 2'));
    await client.send('{}');
    expect((await client.answer()).status).toBe(503);
  });

  it('that is chunked closes the connection', async () => {
    await client.send(head('transfer-encoding: chunked').replace('sk-good', 'sk-bad'));
    const answer = await client.answer();
    expect([answer.status, answer.headers.connection]).toEqual([401, 'close']);
    await client.send('0\r\n\r\n');
    await client.closed();
  });

  it('that was announced and not asked for closes the connection', async () => {
    await client.send(head('content-length: 2', 'expect: 100-continue').replace('sk-good', 'sk-bad'));
    const answer = await client.answer();
    expect([answer.status, answer.headers.connection]).toEqual([401, 'close']);
  });

  it('to an unknown path or method is not waited for', async () => {
    await client.send(head('content-length: 999999999').replace(path, '/nothing'));
    expect((await client.answer()).status).toBe(404);
    await using other = await gateway.connect();
    await other.send(head('content-length: 999999999').replace('POST', 'PUT'));
    expect((await other.answer()).status).toBe(405);
  });
});

describe('"Expect: 100-continue"', () => {
  it('is answered when the body is wanted', async () => {
    await client.send(head('content-length: 2', 'expect: 100-continue'));
    expect((await client.answer()).status).toBe(100);
    await client.send('{}');
    expect((await soundAnswer()).status).toBe(503);
  });

  it('is not answered to a wrong type', async () => {
    await client.send(
      head('content-length: 2', 'expect: 100-continue').replace('application/json', 'text/x'),
    );
    expect((await client.answer()).status).toBe(415);
  });

  it('may expect something else, which is ignored', async () => {
    await client.send(`${head('content-length: 2', 'expect: miracles')}{}`);
    expect((await client.answer()).status).toBe(503);
  });
});

describe('JSON with too much structure', () => {
  const PIECE_BYTES = 64 * 1024;
  // The most that the system's buffers between the two sides hold.
  const PIECES_UNDER_WAY = 8;

  // The work before the refusal blocks the event loop; it ends where reading stops.
  it.each([
    ['[[[[', 400, 1],
    ['{"a":{"a":[[[[[[', 400, 1],
    ['1,1,1,1,', 413, 8],
    ['{},{}, [],', 413, 7],
    ['{"a":1},', 413, 11],
  ])('%s… is refused as soon as it exceeds the bound, not after 32 MiB', async (piece, status, pieces) => {
    await client.send(head(`content-length: ${CAP}`));
    const data = Buffer.from(piece.repeat(PIECE_BYTES / piece.length));
    await client.send('[');
    let sent = 0;
    while (client.unread === '' && sent * PIECE_BYTES < CAP) {
      await client.send(data);
      sent++;
      // The gateway lives in this process: one turn of the loop lets it read what was sent.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toBeLessThanOrEqual(pieces + PIECES_UNDER_WAY);
    expect((await soundAnswer()).status).toBe(status);
  });

  it('lets other requests through while it arrives', async () => {
    await client.send(head(`content-length: ${CAP}`));
    await client.send('["');
    const text = Buffer.alloc(256 * 1024, '\\"');
    let answered = 0;
    for (let sent = 0; sent < 64; sent++) {
      await client.send(text);
      if (sent % 8 === 0 && (await call(gateway, { path: '/healthz' })).status === 200) answered++;
    }
    expect(answered).toBe(8);
  });

  it('keeps no bytes of a refused body', async () => {
    await client.send(head('transfer-encoding: chunked'));
    await client.send(chunked('['.repeat(201)));
    const answer = await client.answer();
    expect(answer.status).toBe(400);
    expect(answerProblems(gateway.description(path), { method: 'POST', path }, answer)).toEqual([]);
    client.reset();
    await expect.poll(() => gateway.inFlight()).toBe(0);
  });
});

describe('a body in many pieces', () => {
  it('is put together byte by byte', async () => {
    const body = JSON.stringify({ text: 'ü😀"\\' });
    await client.send(head('transfer-encoding: chunked'));
    for (const byte of Buffer.from(body)) await client.send(chunked(Buffer.from([byte])));
    await client.send('0\r\n\r\n');
    expect((await soundAnswer()).status).toBe(503);
  });

  it('is answered again and again on one connection', async () => {
    for (let count = 0; count < 20; count++) {
      await client.send(`${head('content-length: 2')}{}`);
      expect((await soundAnswer()).status).toBe(503);
    }
    expect((await call(gateway, jsonCall(path, goodKey))).status).toBe(503);
  });
});

describe('the memory for bodies', () => {
  const SHARE = 4 * MIB;
  let bounded: HttpGateway;
  let held: RawClient[];
  beforeEach(async () => {
    bounded = await HttpGateway.start({ routes: [unreadyRoute], bodyMemoryBytes: 4 * SHARE });
    held = [];
  });
  afterEach(async () => {
    for (const one of held) await one[Symbol.asyncDispose]();
    await expect.poll(() => bounded.bodyMemory.heldBytes).toBe(0);
    await bounded[Symbol.asyncDispose]();
  });

  async function begin(head: string): Promise<RawClient> {
    const one = await bounded.connect();
    held.push(one);
    await one.send(head);
    return one;
  }

  it('is taken before a body is read: 503 over the fraction of a stack, and free again when a body leaves', async () => {
    const first = await begin(head(`content-length: ${SHARE}`));
    await expect.poll(() => bounded.bodyMemory.heldBytes).toBe(SHARE);
    const second = await begin(head('content-length: 10'));
    const refused = await second.answer();
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([503, true]);
    expect(refused.body).toContain('body_memory_full');
    const other = await begin(head('content-length: 2').replace(goodKey, textKey));
    await other.send('{}');
    expect((await other.answer()).body).not.toContain('body_memory_full');
    await first[Symbol.asyncDispose]();
    await expect.poll(() => bounded.bodyMemory.heldBytes).toBe(0);
    const third = await begin(head(`content-length: ${SHARE}`));
    await expect.poll(() => bounded.bodyMemory.heldBytes).toBe(SHARE);
    await third[Symbol.asyncDispose]();
  });

  it('is taken by chunked bodies as they grow', async () => {
    const one = await begin(head('transfer-encoding: chunked'));
    await one.send(chunked(Buffer.alloc(SHARE / 2, ' ')));
    await expect.poll(() => bounded.bodyMemory.heldBytes).toBe(SHARE / 2);
    await one.send(chunked(Buffer.alloc(SHARE / 2 + 1, ' ')));
    expect((await one.answer()).status).toBe(503);
  });

  it('is not held by incomplete uploads, which are on the disk', async () => {
    const form = multipartBody([{ name: 'file', fileName: 'a.pdf', bytes: Buffer.alloc(20 * MIB, 1) }]);
    const lines = [
      'POST /v1/documents/extract HTTP/1.1',
      'host: a',
      `authorization: Bearer ${goodKey}`,
      `content-type: ${multipartType}`,
      `content-length: ${form.length}`,
    ];
    for (const _ of [1, 2, 3]) {
      const one = await begin(`${lines.join('\r\n')}\r\n\r\n`);
      await one.send(form.subarray(0, 10 * MIB));
    }
    await expect.poll(() => readdirSync(bounded.uploads).length).toBe(3);
    await expect.poll(() => bounded.bodyMemory.heldBytes).toBe(0);
    for (const one of held.splice(0)) await one[Symbol.asyncDispose]();
    await expect.poll(() => readdirSync(bounded.uploads)).toEqual([]);
  });
});
