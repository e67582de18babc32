import { request } from 'node:http';
import { Duplex } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';

/** A difference that is a bug. */
export const UNEXPLAINED = 'unexplained';
const MAXIMUM_HEAD_BYTES = 16 * 1024;

/** An in-memory connection: writes are dropped, reads come from the test. */
class Line extends Duplex {
  // Called by Node's client on sockets.
  setTimeout() {}
  setNoDelay() {}
  setKeepAlive() {}
  ref() {}
  unref() {}
  _read() {}
  _write(_chunk, _encoding, done) {
    done();
  }
}

/** How Node's client reads an answer in these pieces, after which the server closes; `undefined` if it rejects it. */
export async function readByNode(pieces) {
  const line = new Line();
  let response;
  let body = '';
  const asked = request({
    method: 'POST',
    createConnection: () => line,
    headers: { connection: 'keep-alive' },
    maxHeaderSize: MAXIMUM_HEAD_BYTES,
  });
  const over = new Promise((resolve) => asked.once('close', resolve));
  asked.on('error', () => {});
  asked.on('upgrade', (_upgraded, socket) => socket.destroy());
  asked.on('response', (answered) => {
    response = answered;
    answered.setEncoding('latin1');
    answered.on('error', () => {});
    answered.on('data', (piece) => {
      body += piece;
    });
  });
  asked.end();
  // The client takes its connection in a later turn.
  await new Promise(setImmediate);
  for (const piece of pieces) line.push(piece);
  line.push(null);
  await over;
  line.destroy();
  if (response === undefined || !response.complete) return undefined;
  const { shouldKeepAlive: keepsAlive } = asked;
  return { status: response.statusCode, headers: joined(response.rawHeaders), body, keepsAlive };
}

function joined(rawHeaders) {
  const headers = {};
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index].toLowerCase();
    const value = rawHeaders[index + 1];
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  }
  return headers;
}

/** The same with the gateway's parser. */
export function readByOwn(ResponseParser, pieces) {
  let head;
  let body = '';
  const parser = new ResponseParser({
    onHead: (told) => {
      head = told;
    },
    onBytes: (bytes) => {
      body += bytes.toString('latin1');
    },
  });
  try {
    for (const piece of pieces) if (!parser.isOver) parser.feed(Buffer.from(piece));
    parser.finish();
  } catch (error) {
    if (error.name !== 'GarbledResponse') throw error;
    return undefined;
  }
  if (!parser.isOver) return undefined;
  return {
    status: head.status,
    headers: Object.fromEntries(head.headers),
    body,
    keepsAlive: head.keepsAlive,
  };
}

const EXTENDED =
  /^[0-9a-f]+(?:;[!#$%&'*+.^_`|~0-9a-z-]+(?:=(?:[!#$%&'*+.^_`|~0-9a-z-]*|"(?:[^"\\]|\\.)*"))?)*$/iu;
const INTERIM = '^(?:HTTP/1\\.1 1\\d\\d[^]*?\\r\\n\\r\\n)*';

/** Where the gateway's parser is deliberately stricter than Node's; other differences are bugs. */
const REFUSED = {
  'a transfer encoding other than `chunked`': ({ headers }) =>
    isOther(headers['transfer-encoding'], 'chunked'),
  'a compressed body': ({ headers }) => isOther(headers['content-encoding'], 'identity'),
  'such an encoding in an interim response': (_read, text) =>
    new RegExp(`${INTERIM}?HTTP/1\\.1 1(?:(?!\\r\\n\\r\\n)[^])*\\n(?:transfer|content)-encoding:`, 'iu').test(
      text,
    ),
  'empty lines before a status line': (_read, text) => new RegExp(`${INTERIM}[\\r\\n]+HTTP/`, 'u').test(text),
  'a bare CR in a status line': (_read, text) =>
    new RegExp(`${INTERIM}?HTTP/1\\.[01] [^\\r\\n]*\\r[^\\n]`, 'u').test(text),
  'a status below 100': ({ status }) => status < 100,
  'a tab in a header that says where the body ends': (_read, text) =>
    /\n(?:content-length|transfer-encoding):[^\n]*\t/iu.test(text),
  'a transfer encoding in a trailer': (_read, text) => /\r\n0[\s\S]*\ntransfer-encoding:/iu.test(text),
  'a chunk extension of another form than `name`, `name=value` or `name="value"`': (_read, text) =>
    text.split('\r\n').some((line) => /^[0-9a-f]+;/iu.test(line) && !EXTENDED.test(line)),
  'a switch to another protocol': ({ status }) => status === 101,
  'a version other than 1.0 and 1.1': (_read, text) =>
    new RegExp(`${INTERIM}HTTP/(?:0\\.9|2\\.0) `, 'u').test(text),
};

/** The deliberate difference between two readings; `undefined` if they agree, `unexplained` if it is a bug. */
export function differenceOf(bytes, { byNode, byOwn }) {
  if (isDeepStrictEqual(byNode, byOwn)) return undefined;
  if (byNode === undefined) return UNEXPLAINED;
  const text = bytes.toString('latin1');
  if (byOwn === undefined)
    return Object.keys(REFUSED).find((name) => REFUSED[name](byNode, text)) ?? UNEXPLAINED;
  const isSame = isDeepStrictEqual({ ...byNode, keepsAlive: false }, byOwn);
  return isSame && mustEnd(byOwn.headers, text)
    ? 'a connection kept in spite of `close`, or of chunks over HTTP/1.0'
    : UNEXPLAINED;
}

function mustEnd(headers, text) {
  return /close/iu.test(headers.connection) || (text.includes('HTTP/1.0 ') && 'transfer-encoding' in headers);
}

function isOther(value, usual) {
  return value !== undefined && value.toLowerCase() !== usual;
}
