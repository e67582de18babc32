const STATUSES = [
  '200 OK',
  '200 OK',
  '200',
  '201 Made',
  '404 Not Found',
  '429 Wait',
  '500 Oh',
  '204 No',
  '304 Same',
];
const INTERIM = [
  'HTTP/1.1 100 Continue\r\n\r\n',
  'HTTP/1.1 103 Early Hints\r\nlink: </a>; rel=preload\r\n\r\n',
  'HTTP/1.1 102 Processing\r\ncontent-length: 3\r\n\r\n',
];
const HEADERS = [
  'content-type: application/json',
  'Content-Type:text/event-stream; charset=utf-8',
  'retry-after: 7',
  'Connection: close',
  'connection: keep-alive',
  'Connection: Keep-Alive, Upgrade',
  'upgrade: h2c',
  'date: Tue, 17 Nov 2026 00:00:00 GMT',
  'server: \xfcvicorn',
  'x-empty:',
  'x-spaces: \t a b \t',
  'set-cookie: a=1',
  'set-cookie: b=2',
  'trailer: x-sum',
];
const FRAMING = [
  'content-length: 5, 5',
  'content-length: 0',
  'content-length: 99',
  'transfer-encoding: gzip, chunked',
  'transfer-encoding: chunked, gzip',
  'transfer-encoding: identity',
  'content-encoding: gzip',
];
const BODIES = [
  'hello',
  '',
  '{"a":1}',
  'data: {"choices":[]}\n\ndata: [DONE]\n\n',
  'x'.repeat(40),
  '\r\n\r\n0\r\n\r\n',
];
const EXTENSIONS = ['', '', '', ';a', ';a=b', ';a="b c"', ';a="\\"";b=1', ' ;a', '; a', ';', ';a='];
const TRAILERS = ['x-sum: 1\r\n', 'x-sum:\r\nx-other: 2\r\n', 'content-length: 5\r\n', 'a b: c\r\n'];
const SPICES = [
  ...[
    '\r',
    '\n',
    '\r\n',
    ' ',
    '\t',
    ':',
    ',',
    ';',
    '\0',
    '\x7f',
    '\xe9',
    '"',
    'a',
    '0',
    '1',
    'F',
    '\r\n\r\n',
    '\n\n',
  ],
  ...[
    'content-length: 3\r\n',
    'Content-Length : 3\r\n',
    'transfer-encoding: chunked\r\n',
    'HTTP/1.1 200 OK\r\n',
  ],
  ...['\r\n folded', '0\r\n\r\n', '5\r\n', 'HTTP/1.0 ', 'HTTP/0.9 ', 'Connection: close\r\n'],
];

/**
 * A spoiled answer in one or two pieces, as it may come over a connection.
 * @param {() => number} random from 0 up to but not 1
 */
export function spoiledPieces(random) {
  const bytes = spoiledAnswer(random);
  const cut = Math.floor(random() * 2 * bytes.length);
  return cut === 0 || cut >= bytes.length ? [bytes] : [bytes.subarray(0, cut), bytes.subarray(cut)];
}

/** An HTTP/1 answer, valid or with one to three random mistakes. */
function spoiledAnswer(random) {
  const below = (limit) => Math.floor(random() * limit);
  const one = (list) => list[below(list.length)];
  let text = soundAnswer(below, one);
  for (let change = below(4); change > 0; change--) text = spoiled(text, below, one);
  return Buffer.from(text, 'latin1');
}

function soundAnswer(below, one) {
  const version = below(5) === 0 ? 'HTTP/1.0' : 'HTTP/1.1';
  const lines = Array.from({ length: below(4) }, () => one(HEADERS));
  if (below(20) === 0) lines.push(one(FRAMING));
  const body = one(BODIES);
  let sent = body;
  const kind = below(4);
  if (kind === 0) lines.splice(below(lines.length + 1), 0, `Content-Length: ${body.length}`);
  else if (kind <= 2) {
    lines.splice(below(lines.length + 1), 0, 'Transfer-Encoding: chunked');
    sent = chunked(body, below, one);
  }
  const interim = below(8) === 0 ? one(INTERIM) : '';
  return `${interim}${version} ${one(STATUSES)}\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n${sent}`;
}

function chunked(body, below, one) {
  let text = '';
  for (let from = 0; from < body.length; ) {
    const size = 1 + below(body.length - from);
    const digits =
      below(2) === 0
        ? size.toString(16)
        : size
            .toString(16)
            .toUpperCase()
            .padStart(1 + below(4), '0');
    const extension = below(4) === 0 ? one(EXTENSIONS) : '';
    text += `${digits}${extension}\r\n${body.slice(from, from + size)}\r\n`;
    from += size;
  }
  return `${text}0${below(8) === 0 ? one(EXTENSIONS) : ''}\r\n${below(6) === 0 ? one(TRAILERS) : ''}\r\n`;
}

function spoiled(text, below, one) {
  const at = below(text.length);
  switch (below(6)) {
    case 0:
      return text.slice(0, at) + one(SPICES) + text.slice(at);
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + below(3));
    case 2:
      return text.slice(0, at) + String.fromCharCode(below(256)) + text.slice(at + 1);
    case 3:
      return below(3) === 0 ? text.slice(0, at) : text;
    case 4: {
      const lines = text.split('\r\n');
      const [first, second] = [below(lines.length), below(lines.length)];
      [lines[first], lines[second]] = [lines[second], lines[first]];
      return lines.join('\r\n');
    }
    default:
      return text.slice(0, at) + text.slice(Math.max(0, at - below(20)));
  }
}
