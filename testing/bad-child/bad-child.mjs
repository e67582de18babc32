// A child that misbehaves on request. Runs as a process and as a thread.
import { readdirSync, writeSync } from 'node:fs';
import { getPriority } from 'node:os';
import { serialize } from 'node:v8';
import { parentPort, threadId, workerData } from 'node:worker_threads';
import { Moved, serveRequests } from '../../dist/supervision/serve-requests.js';

const start = parentPort ? workerData : process.argv[2];
const leaked = [];
let produced = 0;

const operations = {
  echo: ({ value }) => value,
  who: () => `${process.pid}/${threadId}`,
  environment: () => ({ ...process.env }),
  produced: () => produced,
  /** Niceness of the answering thread, and of all threads of the process. */
  niceness: () => ({
    thread: getPriority(),
    all: [...new Set(readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread))))],
  }),
  async *count({ to }) {
    for (let number = 1; number <= to; number += 1) yield [number];
    return 'counted';
  },
  async *flood() {
    for (;;) {
      produced += 1;
      yield [produced];
    }
  },
  async *countThenHang() {
    yield [1];
    await forever();
  },
  async *countThenCrash() {
    yield [1, 2];
    crash();
    await forever();
  },
  moved() {
    const bytes = new Uint8Array([1, 2, 3]);
    return new Moved(bytes, [bytes.buffer]);
  },
  byteLength: ({ bytes }) => bytes.byteLength,
  fail() {
    throw Object.assign(new RangeError('too far'), { code: 'too-far' });
  },
  uncloneable: () => () => {},
  untilCancelled: (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  ignoreCancel: () => forever(),
  spinForever() {
    for (;;);
  },
  leak({ sizeBytes }) {
    leaked.push(new Uint8Array(sizeBytes).fill(1));
  },
  crashAfterLines() {
    process.stderr.write('secret line one\nsecret line two\n', () => crash());
    return forever();
  },
  exitZero: () => process.exit(0),
  abort: () => process.abort(),
  strayBytes({ bytes }) {
    writeSync(3, bytes);
    return forever();
  },
  signalSelf: ({ name }) => process.kill(process.pid, name),
  garbage({ message }) {
    sendRaw(message);
    return forever();
  },
  floodWithoutCredit() {
    for (let number = 0; number < 50; number += 1) sendRaw({ type: 'batch', id: 1, events: [number] });
    return forever();
  },
};

function forever() {
  return new Promise(() => {});
}

function crash() {
  setImmediate(() => {
    throw new Error('crashed on purpose');
  });
}

function sendRaw(message) {
  if (parentPort) parentPort.postMessage(message);
  else {
    const body = serialize(message);
    const header = Buffer.alloc(4);
    header.writeUInt32BE(body.length);
    writeSync(3, Buffer.concat([header, body]));
  }
}

await serveRequests(async () => {
  if (start === 'crash') throw new Error('cannot start');
  if (start === 'exit') process.exit(0);
  if (start === 'hang') for (;;);
  if (start === 'garbage') sendRaw('garbage');
  if (start === 'never-ready') await new Promise((resolve) => setInterval(resolve, 2 ** 30));
  return {
    handle: (payload, signal) => operations[payload.operation](payload, signal),
    close() {
      if (start === 'crash-at-close') throw new Error('cannot close');
      if (start === 'hang-at-close') for (;;);
    },
  };
});
