// A model server that only sends fixed bytes, so that it is never the bottleneck. A word in the prompt selects the answer: see
// text-requests.mjs.
import net from 'node:net';
import { answerBytes, EVENT_INTERVAL_MS } from './text-answers.mjs';

const server = net.createServer((socket) => {
  let request = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    request = request.length === 0 ? chunk : Buffer.concat([request, chunk]);
    const headEnd = request.indexOf('\r\n\r\n');
    if (headEnd === -1) return;
    const head = request.toString('latin1', 0, headEnd);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (request.length < headEnd + 4 + length) return;
    const body = request.subarray(headEnd + 4);
    request = Buffer.alloc(0);
    send(socket, answerBytes(head.split(' ', 2)[1], body));
  });
});

function send(socket, { now, pieces = [] }) {
  socket.write(now);
  if (pieces.length === 0) return;
  let next = 0;
  const timer = setInterval(() => {
    socket.write(pieces[next++]);
    if (next === pieces.length) stop();
  }, EVENT_INTERVAL_MS);
  const stop = () => {
    clearInterval(timer);
    socket.off('close', stop);
  };
  socket.on('close', stop);
}

server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.once('SIGTERM', () => process.exit(0));
