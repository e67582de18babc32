import { describe, expect, it } from 'vitest';
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
  return {
    head: heads[0],
    heads: heads.length,
    body,
    isOver: parser.isOver,
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
        },
        heads: 1,
        body: 'abc0123456789',
        isOver: true,
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

  it('is over at once without a body, and tells of bytes after the end', () => {
    expect(parse('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')).toMatchObject({ isOver: true, surplus: 0 });
    expect(parse(`${chunked}more`)).toMatchObject({ isOver: true, surplus: 4 });
    expect(parse(chunked.slice(0, -1))).toMatchObject({ isOver: false });
  });

  const head = 'HTTP/1.1 200 OK\r\n';
  const refused: Readonly<Record<string, string>> = {
    'no HTTP': 'SSH-2.0-OpenSSH\r\n\r\n',
    'another version': 'HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n',
    'an interim response': 'HTTP/1.1 100 Continue\r\n\r\n',
    'a body until the end of the connection': `${head}\r\n`,
    'two lengths': `${head}content-length: 3\r\ncontent-length: 3\r\n\r\nabc`,
    'a length and chunks': `${head}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n`,
    'a length that is no number': `${head}content-length: +3\r\n\r\nabc`,
    'another transfer encoding': `${head}transfer-encoding: gzip, chunked\r\n\r\n`,
    'a compressed body': `${head}content-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc`,
    'a folded line': `${head}a: b\r\n c\r\ncontent-length: 0\r\n\r\n`,
    'a space before the colon': `${head}content-length : 0\r\n\r\n`,
    'bare line feeds': `HTTP/1.1 200 OK\ncontent-length: 0\r\n\r\n`,
    'a head without end': `${head}a: ${'b'.repeat(20_000)}`,
    'a chunk size that is no number': `${head}transfer-encoding: chunked\r\n\r\n-1\r\n`,
    'a chunk extension': `${head}transfer-encoding: chunked\r\n\r\n3;a=b\r\nabc\r\n`,
    'a chunk without its end': `${head}transfer-encoding: chunked\r\n\r\n3\r\nabcd\r\n`,
    'a trailer': `${head}transfer-encoding: chunked\r\n\r\n0\r\na: b\r\n\r\n`,
    'an endless chunk size': `${head}transfer-encoding: chunked\r\n\r\n${'0'.repeat(100)}`,
  };
  for (const [what, text] of Object.entries(refused)) {
    it(`refuses ${what}`, () => {
      expect(() => parse(text)).toThrow(GarbledResponse);
    });
  }
});
