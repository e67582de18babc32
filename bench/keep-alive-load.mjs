import net from 'node:net';
import tls from 'node:tls';

const CHUNKED_END = '\r\n0\r\n\r\n';

/**
 * Sends requests over keep-alive connections, one at a time on each, until `count` answers have arrived. Returns the time to
 * each last byte, or to the end of the head, in milliseconds.
 */
export async function sendRequests(url, { connections, ...asked }) {
  const opened = await openConnections(url, Math.min(connections, asked.count));
  const durationsMs = await sendOver(opened, asked);
  for (const connection of opened) connection.close();
  return durationsMs;
}

/** Opens so many connections. */
export function openConnections(url, count) {
  return Promise.all(Array.from({ length: count }, () => openConnection(url)));
}

/** The same over open connections, which stay open. */
export async function sendOver(connections, { makeRequest, count, untilFirstByte = false }) {
  const durationsMs = [];
  let sent = 0;
  await Promise.all(
    connections.map(async (connection) => {
      while (sent < count) {
        const startedMs = performance.now();
        let firstByteMs = 0;
        const onFirstByte = () => {
          firstByteMs = performance.now();
        };
        await connection.ask(makeRequest(sent++), { onFirstByte });
        durationsMs.push((untilFirstByte ? firstByteMs : performance.now()) - startedMs);
      }
    }),
  );
  return durationsMs;
}

/** Opens a connection for sequential requests. */
export async function openConnection(url) {
  const { protocol, hostname: host, port } = new URL(url);
  const isSecure = protocol === 'https:';
  const socket = isSecure
    ? tls.connect({ host, port: Number(port), rejectUnauthorized: false }).setNoDelay(true)
    : net.connect(Number(port), host).setNoDelay(true);
  let answer;
  socket.on('data', (chunk) => answer?.add(chunk));
  socket.on('error', (error) => answer?.fail(error));
  socket.on('close', () => answer?.fail(new Error('the server closed the connection')));
  await new Promise((resolve, reject) =>
    socket.once(isSecure ? 'secureConnect' : 'connect', resolve).once('error', reject),
  );
  const ask = (bytes, whenCame) =>
    new Promise((resolve, reject) => {
      answer = new Answer({ resolve, reject, ...whenCame });
      socket.write(bytes);
    });
  return { ask, close: () => socket.destroy() };
}

/** Finds the end of an answer without keeping its bytes. */
class Answer {
  #settle;
  #head = '';
  #tail = '';
  #missing;

  constructor(settle) {
    this.#settle = settle;
  }

  add(chunk) {
    if (this.#missing === undefined) this.#readHead(chunk);
    else this.#readBody(chunk);
  }

  fail(error) {
    this.#settle.reject(error);
  }

  #readHead(chunk) {
    this.#head += chunk.toString('latin1');
    const end = this.#head.indexOf('\r\n\r\n');
    if (end === -1) return;
    if (!this.#head.startsWith('HTTP/1.1 200')) return this.fail(new Error(this.#head.slice(0, 600)));
    this.#settle.onFirstByte?.();
    const length = /content-length: (\d+)/i.exec(this.#head.slice(0, end))?.[1];
    this.#missing = length === undefined ? Number.POSITIVE_INFINITY : Number(length);
    this.#readBody(Buffer.from(this.#head.slice(end + 4), 'latin1'));
  }

  #readBody(chunk) {
    this.#missing -= chunk.length;
    this.#tail = (this.#tail + chunk.toString('latin1', Math.max(0, chunk.length - 7))).slice(-7);
    if (this.#missing === 0 || this.#tail === CHUNKED_END) this.#settle.resolve();
  }
}
