import { createServer, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { HeadReader } from './head-reader.ts';
import { readHotHead } from './hot-head.ts';

const lines = [
  'POST /v1/chat/completions HTTP/1.1',
  'Host: gateway.test:8080',
  'Connection: keep-alive',
  'User-Agent: OpenAI/Python 1.2.3 (Linux; x64)',
  'Authorization: Bearer sk-1',
  'Content-Type: application/json',
  'Content-Length: 12',
];
const head = (...more: string[]) => `${[...lines, ...more].join('\r\n')}\r\n`;
const without = (name: string) => `${lines.filter((line) => !line.startsWith(name)).join('\r\n')}\r\n`;

describe('a head of the usual form', () => {
  it('is read', () => {
    expect(readHotHead(head())).toEqual({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-1' },
      key: {},
      bodyBytes: 12,
      forwardedFor: undefined,
    });
  });

  it('may have `x-api-key`, come through a proxy, and have the query of Claude Code', () => {
    const other = without('Authorization').replace('/v1/chat/completions', '/v1/messages?beta=true');
    expect(readHotHead(`${other}x-api-key: sk-2\r\nX-Forwarded-For: 10.0.0.1, 10.0.0.2\r\n`)).toMatchObject({
      path: '/v1/messages',
      headers: { 'x-api-key': 'sk-2' },
      forwardedFor: '10.0.0.1, 10.0.0.2',
    });
  });
});

describe('a head that parsers may read differently', () => {
  it.each([
    ['another method', head().replace('POST', 'GET')],
    ['another path', head().replace('completions', 'completion')],
    ['another query', head().replace('completions', 'completions?a=1')],
    ['another version', head().replace('HTTP/1.1', 'HTTP/1.0')],
    ['no host', without('Host')],
    ['two hosts', head('host: other')],
    ['no length', without('Content-Length')],
    ['two lengths', head('content-length: 12')],
    ['a length with a sign', head().replace(': 12', ': +12')],
    ['a length of several', head().replace(': 12', ': 12, 12')],
    ['a length with zeros before it', head().replace(': 12', ': 012')],
    ['no body', head().replace(': 12', ': 0')],
    ['no type', without('Content-Type')],
    ['another type', head().replace('application/json', 'text/plain')],
    ['another charset', head().replace('application/json', 'application/json; charset=latin1')],
    ['two keys', head('Authorization: Bearer sk-2')],
    ['chunks', head('Transfer-Encoding: chunked')],
    ['a compressed body', head('Content-Encoding: gzip')],
    ['an expectation', head('Expect: 100-continue')],
    ['an upgrade', head('Upgrade: h2c')],
    ['trailers', head('Trailer: x')],
    ['a name for retries', head('Idempotency-Key: n-1')],
    ['a connection that ends', head().replace('keep-alive', 'close')],
    ['a browser behind it', head('Origin: https://a.test')],
    ['a space before the colon', head('a : b')],
    ['no space after the colon', head('a:b')],
    ['two spaces after the colon', head('a:  b')],
    ['a space at the end', head('a: b ')],
    ['an empty value', head('a: ')],
    ['a folded line', head('a: b', ' c: d')],
    ['a letter that is not ASCII', head('a: \xe9')],
    ['a control character', head('a: b\x00')],
    ['a bare line feed', head('a: b\nc: d')],
    ['an odd name', head('a_b: c')],
  ])('goes to Node’s parser: %s', (_, text) => {
    expect(readHotHead(text)).toBeUndefined();
  });
});

describe('the heads of one connection', () => {
  it('are each read as if alone', () => {
    const reader = new HeadReader();
    const longer = head().replace(': 12', ': 4096');
    const others = [
      ...[head(), longer, longer.replace('sk-1', 'sk-2'), head(), head('a: b'), longer],
      ...['', '0', '012', '+1', '1 2', '1, 2', '12\r\ncontent-length: 3', '1234567890'].map((length) =>
        head().replace(': 12', `: ${length}`),
      ),
      ...[without('Content-Length'), head(), longer.replace('4096', '999999999'), 'POST', ''],
    ];
    for (const text of others)
      expect({ text, read: reader.read(text) }).toEqual({ text, read: readHotHead(text) });
  });
});

describe('100,000 requests with random mistakes', () => {
  it('are read as Node reads them, or not at all', async () => {
    const random = seededRandom(7);
    const reader = new HeadReader();
    let taken = 0;
    let requests: string[] = [];
    let wanted: unknown[] = [];
    const compare = async () => {
      const read = await readByNode(requests.join(''), wanted.length);
      expect({ requests, read }).toEqual({ requests, read: wanted });
      [requests, wanted] = [[], []];
    };
    for (let index = 0; index < 100_000; index++) {
      const request = spoiled(random);
      const end = request.indexOf('\r\n\r\n');
      // The connection has served the valid request before.
      reader.read(head());
      const hot = end === -1 ? undefined : reader.read(request.slice(0, end + 2));
      if (hot === undefined) continue;
      const body = request.slice(end + 4, end + 4 + hot.bodyBytes);
      // The body is incomplete: neither parser would serve it.
      if (body.length < hot.bodyBytes) continue;
      taken += 1;
      // The rest belongs to the next request.
      requests.push(request.slice(0, end + 4 + hot.bodyBytes));
      wanted.push({
        method: 'POST',
        path: hot.path,
        authorization: hot.headers.authorization,
        apiKey: hot.headers['x-api-key'],
        type: expect.stringMatching(/^application\/json/i),
        length: String(hot.bodyBytes),
        forwardedFor: hot.forwardedFor,
        isWhole: true,
        body,
      });
      if (wanted.length === AT_ONCE) await compare();
    }
    await compare();
    expect(taken).toBeGreaterThan(5_000);
  });
});

interface NodeRead {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly body: string;
}

const server = createServer({ requireHostHeader: false });

/** Requests that Node's parser gets on one connection, one after the other. */
const AT_ONCE = 50;
const MANY_TURNS = 100;

/** The requests that Node's parser finds in these bytes, each with its body; waits for so many. */
async function readByNode(bytes: string, count: number): Promise<readonly NodeRead[]> {
  const found: NodeRead[] = [];
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const take = async (message: IncomingMessage) => {
    let body = '';
    message.setEncoding('latin1').on('data', (piece) => {
      body += piece;
    });
    const { method, url, headers } = message;
    message.on('end', () => {
      found.push({
        method,
        path: url?.split('?', 1)[0],
        ...{
          authorization: headers.authorization,
          apiKey: headers['x-api-key'],
          type: headers['content-type'],
          length: headers['content-length'],
          forwardedFor: headers['x-forwarded-for'],
          isWhole: message.complete,
        },
        body,
      });
    });
  };
  const refuse = (_error: unknown, refused: Duplex) => refused.destroy();
  server.on('request', take).on('clientError', refuse);
  server.emit('connection', socket);
  socket.push(Buffer.from(bytes, 'latin1'));
  for (let turn = 0; turn < MANY_TURNS && found.length < count; turn++) await new Promise(setImmediate);
  server.off('request', take).off('clientError', refuse);
  socket.destroy();
  return found;
}

const BODY = '{"model": 1}';
const SPICES = [
  ...['\r', '\n', '\r\n', ' ', '\t', ':', ',', '\0', '\x7f', '\xe9', 'a', '0', '1', ';', '"', '\r\n\r\n'],
  ...['Content-Length: 3\r\n', 'content-length : 3\r\n', 'Transfer-Encoding: chunked\r\n', 'Host: b\r\n'],
  ...['x-api-key: sk-3\r\n', 'TE: trailers\r\n', 'Connection: close\r\n', 'Expect: 100-continue\r\n'],
];

/** A valid request with one to three random changes. */
function spoiled(random: (below: number) => number): string {
  let request = `${head()}\r\n${BODY}`;
  for (let change = random(3); change >= 0; change--) {
    const at = random(request.length);
    const kind = random(4);
    const spice = SPICES[random(SPICES.length)] ?? '';
    if (kind === 0) request = request.slice(0, at) + spice + request.slice(at);
    else if (kind === 1) request = request.slice(0, at) + request.slice(at + 1 + random(3));
    else if (kind === 2)
      request = request.slice(0, at) + String.fromCharCode(random(256)) + request.slice(at + 1);
    else request = withSwappedLines(request, random);
  }
  return request;
}

function withSwappedLines(request: string, random: (below: number) => number): string {
  const all = request.split('\r\n');
  const [one, other] = [random(all.length), random(all.length)];
  [all[one], all[other]] = [all[other] ?? '', all[one] ?? ''];
  return all.join('\r\n');
}

/** The same numbers in every run. */
function seededRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
