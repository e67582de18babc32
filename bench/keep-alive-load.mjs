import net from 'node:net';

/** Sends the same request over keep-alive connections, one at a time on each, until `count` answers have come. */
export async function sendRequests(url, { head, count, connections }) {
  const { hostname, port } = new URL(url);
  const bytes = Buffer.from(head);
  let left = count;
  await Promise.all(Array.from({ length: connections }, () => connection()));

  function connection() {
    return new Promise((resolve, reject) => {
      const socket = net.connect(Number(port), hostname);
      let buffered = '';
      const next = () => {
        if (left-- <= 0) socket.end();
        else socket.write(bytes);
      };
      socket.setNoDelay(true);
      socket.once('connect', next);
      socket.on('data', (chunk) => {
        buffered += chunk.toString('latin1');
        const headEnd = buffered.indexOf('\r\n\r\n');
        if (headEnd === -1) return;
        const length = Number(/content-length: (\d+)/i.exec(buffered)?.[1]);
        if (buffered.length < headEnd + 4 + length) return;
        if (!buffered.startsWith('HTTP/1.1 200')) reject(new Error(buffered.slice(0, 200)));
        buffered = '';
        next();
      });
      socket.once('close', resolve);
      socket.once('error', reject);
    });
  }
}
