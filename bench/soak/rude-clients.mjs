// Clients that leave, stall and lie. Their answers do not matter; they must not leak anything.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const BODY = JSON.stringify({
  model: 'fake-model',
  stream: true,
  messages: [{ role: 'user', content: 'Hello' }],
});

/** Each connects, misbehaves and disconnects within about a second. */
export const rudeManners = {
  'leaves in the middle of the head': async (socket) =>
    socket.write('POST /v1/chat/completions HTTP/1.1\r\nHo'),
  'leaves in the middle of the body': async (socket, key) =>
    socket.write(`${head('/v1/chat/completions', key, 500_000)}{"model":`),
  'leaves in the middle of a form': async (socket, key) =>
    socket.write(
      `${head('/v1/images/edits', key, 500_000, 'multipart/form-data; boundary=b')}--b\r\ncontent-disposition: form-data; name="image"; filename="a"\r\n\r\nxxxx`,
    ),
  'leaves when the stream begins': async (socket, key) => {
    socket.write(head('/v1/chat/completions', key, BODY.length) + BODY);
    await new Promise((resolve) => socket.once('data', resolve).once('close', resolve));
  },
  'leaves before the answer': async (socket, key) =>
    socket.write(`${head('/v1/messages', key, BODY.length)}${BODY}`),
  'reads nothing of its stream': async (socket, key) => {
    socket.pause();
    socket.write(head('/v1/messages', key, BODY.length) + BODY);
    await sleep(1_500);
  },
  'sends less than it announced': async (socket, key) => {
    socket.write(`${head('/v1/chat/completions', key, BODY.length + 10)}${BODY}`);
    await sleep(500);
  },
  'sends more than it announced': async (socket, key) => {
    socket.write(`${head('/v1/chat/completions', key, 10)}${BODY}`);
    await sleep(300);
  },
  'announces far too much': async (socket, key) => {
    socket.write(`${head('/v1/chat/completions', key, 2 ** 40)}xxxx`);
    await sleep(300);
  },
  'sends its head letter by letter': async (socket, key) => {
    for (const letter of head('/v1/models', key, 0).slice(0, 40)) {
      socket.write(letter);
      await sleep(20);
    }
  },
  'sends no HTTP': async (socket) => {
    socket.write(Buffer.from([0, 1, 2, 3, 13, 10, 13, 10]));
    await sleep(100);
  },
};

/** Misbehaves once. Whatever the server does to the connection is fine. */
export async function beRude(url, key, manner) {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
  await rudeManners[manner](socket, key);
  await sleep(20);
  socket.destroy();
}

function head(path, key, length, type = 'application/json') {
  return `POST ${path} HTTP/1.1\r\nHost: soak\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
}
