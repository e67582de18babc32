import { once } from 'node:events';

const MAXIMUM_REQUESTS = 1_000;
const MAXIMUM_RECORDED_BYTES = 256 * 1024 * 1024;

/** A bounded log of recent requests; tests can wait for conditions on them. */
export class RequestLog {
  /** Oldest first. */
  requests = [];
  total = 0;
  active = 0;
  /** While the server closes, it cuts the connections itself. */
  isClosing = false;
  #maximumRequests;
  #recordedBytes = 0;
  #waiters = new Set();

  constructor({ maximumRequests = MAXIMUM_REQUESTS }) {
    this.#maximumRequests = maximumRequests;
  }

  open(request, response) {
    this.total += 1;
    this.active += 1;
    this.wakeWaiters();
    return new LogEntry({ serial: this.total, request, response, log: this });
  }

  /** Resolves when the condition holds; checked after every change. */
  async until(condition, signal) {
    if (condition()) return;
    await this.#wait((wake) => {
      if (condition()) wake();
    }, signal);
  }

  /** The next request whose client disconnects before it is answered. */
  async nextGone(signal) {
    return await this.#wait((wake, request) => {
      if (request) wake(request);
    }, signal);
  }

  wakeWaiters(goneRequest) {
    for (const waiter of this.#waiters) waiter(goneRequest);
  }

  async #wait(look, signal) {
    let waiter = () => undefined;
    const woken = new Promise((resolve) => {
      waiter = (request) => look(resolve, request);
      this.#waiters.add(waiter);
    });
    const stopped = new AbortController();
    try {
      const aborted =
        signal && once(signal, 'abort', { signal: stopped.signal }).then(() => signal.throwIfAborted());
      aborted?.catch(() => undefined);
      signal?.throwIfAborted();
      return await (aborted ? Promise.race([woken, aborted]) : woken);
    } finally {
      stopped.abort();
      this.#waiters.delete(waiter);
    }
  }

  remember(recorded) {
    this.requests.push(recorded);
    this.#recordedBytes += recorded.bytes.length;
    while (this.requests.length > this.#maximumRequests || this.#recordedBytes > MAXIMUM_RECORDED_BYTES) {
      this.#recordedBytes -= this.requests.shift().bytes.length;
    }
    this.wakeWaiters();
  }
}

/** One request on its way. */
class LogEntry {
  recorded;
  #log;
  #response;
  #isCutExpected = false;

  constructor({ serial, request, response, log }) {
    this.#log = log;
    this.#response = response;
    const { method, headers } = request;
    const { pathname: path, search: query } = new URL(request.url, 'http://localhost');
    const ended = new Promise((resolve) => {
      response.once('close', () => resolve(this.#close()));
    });
    const bytes = Buffer.alloc(0);
    this.recorded = {
      serial,
      method,
      path,
      query,
      headers,
      bytes,
      body: undefined,
      form: [],
      sentPieces: 0,
      ended,
    };
  }

  async take(bytes) {
    this.recorded.bytes = bytes;
    const type = this.recorded.headers['content-type'] ?? '';
    if (type.startsWith('multipart/form-data')) this.recorded.form = await parseForm(bytes, type);
    else this.recorded.body = parseJson(bytes);
    this.#log.remember(this.recorded);
  }

  /** The server will cut this request, so its end says nothing about the client. */
  expectCut() {
    this.#isCutExpected = true;
  }

  countPiece() {
    this.recorded.sentPieces += 1;
    this.#log.wakeWaiters();
  }

  #close() {
    const end = this.#endOfResponse();
    this.#log.active -= 1;
    this.#log.wakeWaiters(end === 'client-gone' ? this.recorded : undefined);
    return end;
  }

  #endOfResponse() {
    if (this.#response.writableFinished) return 'answered';
    return this.#isCutExpected || this.#log.isClosing ? 'cut' : 'client-gone';
  }
}

function parseJson(bytes) {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

async function parseForm(bytes, contentType) {
  const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  return await Promise.all([...form].map(readField));
}

async function readField([name, value]) {
  if (typeof value === 'string') return { name, value };
  const bytes = Buffer.from(await value.arrayBuffer());
  return { name, fileName: value.name, contentType: value.type, bytes };
}
