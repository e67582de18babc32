import { describe, expect, it } from 'vitest';
import { differenceOf, readByNode, readByOwn, UNEXPLAINED } from '../../testing/fuzz/answer-readers.mjs';
import { spoiledPieces } from '../../testing/fuzz/spoiled-answer.mjs';
import { seededRandom } from '../../testing/reading/seeded-random.mjs';
import { GarbledResponse, type ResponseHead } from './response-head.ts';
import { ResponseParser } from './response-parser.ts';

function parse(text: string, size = text.length) {
  const heads: ResponseHead[] = [];
  let body = '';
  const parser = new ResponseParser({
    onHead: (head) => heads.push(head),
    onBytes: (bytes) => {
      body += bytes.toString('latin1');
    },
  });
  let surplus = 0;
  for (let from = 0; from < text.length; from += size) {
    const piece = Buffer.from(text.slice(from, from + size), 'latin1');
    surplus += parser.isOver ? piece.length : parser.feed(piece);
    piece.fill(0);
  }
  const isOverBefore = parser.isOver;
  parser.finish();
  return {
    head: heads[0],
    heads: heads.length,
    body,
    isOver: isOverBefore,
    isOverAtClose: parser.isOver,
    keepsAlive: parser.keepsAlive,
    surplus,
  };
}

const chunked =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n';
const withLength = 'HTTP/1.1 429\r\ncontent-length:4\r\nretry-after: 7\r\nconnection: close\r\n\r\nabcd';

describe('the response parser', () => {
  it('reads chunks and bodies of a known length, wherever the bytes are split', () => {
    for (let size = 1; size <= chunked.length; size += 1) {
      expect(parse(chunked, size)).toEqual({
        head: {
          status: 200,
          framing: 'chunked',
          keepsAlive: true,
          contentType: 'text/event-stream',
          retryAfterSeconds: undefined,
          headers: new Map([
            ['transfer-encoding', 'Chunked'],
            ['content-type', 'text/event-stream; charset=utf-8'],
          ]),
        },
        heads: 1,
        body: 'abc0123456789',
        isOver: true,
        isOverAtClose: true,
        keepsAlive: true,
        surplus: 0,
      });
    }
    for (let size = 1; size <= withLength.length; size += 1) {
      expect(parse(withLength, size)).toMatchObject({
        head: { status: 429, framing: 4, contentType: '', retryAfterSeconds: 7 },
        body: 'abcd',
        isOver: true,
        keepsAlive: false,
      });
    }
  });

  it('ends at once without a body, and reports bytes after the end', () => {
    expect(parse('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')).toMatchObject({ isOver: true, surplus: 0 });
    expect(parse(`${chunked}more`)).toMatchObject({ isOver: true, surplus: 4 });
    expect(parse(chunked.slice(0, -1))).toMatchObject({ isOver: false, isOverAtClose: false });
    expect(parse('HTTP/1.1 204 No\r\ncontent-length: 5\r\n\r\n')).toMatchObject({ isOver: true, surplus: 0 });
  });

  it('reads a body that ends with the connection', () => {
    const text = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{"a":1}';
    for (let size = 1; size <= text.length; size += 1) {
      expect(parse(text, size)).toMatchObject({
        body: '{"a":1}',
        ...{ isOver: false, isOverAtClose: true, keepsAlive: false },
      });
    }
  });

  it('reads HTTP/1.0, whose connections end unless it says otherwise', () => {
    const old = (...lines: string[]) =>
      parse(`HTTP/1.0 200 OK\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\nabc`);
    expect(old('content-length: 3')).toMatchObject({ body: 'abc', isOver: true, keepsAlive: false });
    expect(old('content-length: 3', 'Connection: Keep-Alive')).toMatchObject({
      body: 'abc',
      keepsAlive: true,
    });
    expect(old()).toMatchObject({ body: 'abc', isOver: false, isOverAtClose: true });
  });

  it('passes over interim answers, wherever the bytes are split', () => {
    const text = `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${withLength}`;
    for (let size = 1; size <= text.length; size += 1) {
      expect(parse(text, size)).toMatchObject({
        heads: 1,
        head: { status: 429 },
        body: 'abcd',
        isOver: true,
      });
    }
  });

  it('reads chunk extensions and trailers, wherever the bytes are split', () => {
    const text =
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3;a=b;c="d;\\""\r\nabc\r\n0;last\r\nx-sum: 1\r\nx-other:\r\n\r\n';
    for (let size = 1; size <= text.length; size += 1) {
      expect(parse(text, size)).toMatchObject({ body: 'abc', isOver: true, keepsAlive: true, surplus: 0 });
    }
  });

  const head = 'HTTP/1.1 200 OK\r\n';
  const refused: Readonly<Record<string, string>> = {
    'no HTTP': 'SSH-2.0-OpenSSH\r\n',
    'another version': 'HTTP/2.0 200 OK\r\ncontent-length: 0\r\n\r\n',
    'another protocol': 'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\n\r\n',
    'an interim response that is the last': 'HTTP/1.1 100 Continue\r\nconnection: close\r\n\r\n',
    'interim responses without end': 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(33),
    'two lengths': `${head}content-length: 3\r\ncontent-length: 3\r\n\r\nabc`,
    'a length and chunks': `${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n`,
    'a length that is no number': `${head}content-length: +3\r\n\r\nabc`,
    'a length with a tab': `${head}content-length: 3\t\r\n\r\nabc`,
    'another transfer encoding': `${head}transfer-encoding: gzip, chunked\r\n\r\n`,
    'a compressed body': `${head}content-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc`,
    'a folded line': `${head}a: b\r\n c\r\ncontent-length: 0\r\n\r\n`,
    'a space before the colon': `${head}content-length : 0\r\n\r\n`,
    'a control character': `${head}a: b\x01\r\ncontent-length: 0\r\n\r\n`,
    'a bare line feed': `HTTP/1.1 200 OK\ncontent-length: 0\r\n\r\n`,
    // Incomplete, but rejected before more could arrive.
    'bare line feeds only': 'HTTP/1.1 200 OK\ncontent-length: 0\n\n',
    'a line feed after the first line': 'HTTP/1.1 200 OK\n',
    'a bare line feed after a chunk size': `${head}transfer-encoding: chunked\r\n\r\n3\nab`,
    'a bare line feed after a trailer': `${head}transfer-encoding: chunked\r\n\r\n0\r\na: b\n`,
    'a head without end': `${head}a: ${'b'.repeat(20_000)}`,
    'a chunk size that is no number': `${head}transfer-encoding: chunked\r\n\r\n-1\r\n`,
    'a chunk extension without a name': `${head}transfer-encoding: chunked\r\n\r\n3;=b\r\nabc\r\n`,
    'a chunk without its end': `${head}transfer-encoding: chunked\r\n\r\n3\r\nabcd\r\n`,
    'a chunk that goes on': `${head}transfer-encoding: chunked\r\n\r\n3\r\nabcd`,
    'a trailer that is no header': `${head}transfer-encoding: chunked\r\n\r\n0\r\na b\r\n\r\n`,
    'a length in a trailer': `${head}transfer-encoding: chunked\r\n\r\n0\r\ncontent-length: 3\r\n\r\n`,
    'trailers without end': `${head}transfer-encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(4_000)}`,
    'an endless chunk size': `${head}transfer-encoding: chunked\r\n\r\n${'0'.repeat(100)}`,
  };
  for (const [what, text] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      expect(() => parse(text)).toThrow(GarbledResponse);
    });
  }
});

describe('thousands of answers with mistakes in them', () => {
  it('are read as Node reads them, or refused for a reason that is on the list', async () => {
    const random = seededRandom(11);
    let accepted = 0;
    for (let index = 0; index < 1_000; index++) {
      const pieces = spoiledPieces(random);
      const byNode = await readByNode(pieces);
      const byOwn = readByOwn(ResponseParser, pieces);
      const bytes = Buffer.concat(pieces);
      if (differenceOf(bytes, { byNode, byOwn }) === UNEXPLAINED)
        expect({ bytes: bytes.toString('latin1'), read: byOwn }).toEqual({ read: byNode });
      if (byOwn !== undefined) accepted += 1;
    }
    expect(accepted).toBeGreaterThan(250);
  });
});
