// The yardstick for text: Node's HTTP server that passes requests on and answers back, with no other duty.
// The first argument is the upstream's address; the second names the client: `undici` or Node's own.
import http from 'node:http';
import { createRequire } from 'node:module';

const upstream = new URL(process.argv[2]);
const forward = process.argv[3] === 'undici' ? undiciForward() : nodeForward();
const server = http.createServer(forward);

function nodeForward() {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 2_048 });
  const { hostname, port } = upstream;
  return (request, response) => {
    const { method, url: path } = request;
    const headers = { ...request.headers, host: upstream.host };
    const forwarded = http.request({ agent, hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    response.on('close', () => forwarded.destroy());
    request.pipe(forwarded);
  };
}

function undiciForward() {
  const { Pool } = createRequire(import.meta.url)('undici');
  const pool = new Pool(upstream.origin, { connections: 2_048 });
  return (request, response) => {
    const { method, url: path } = request;
    const { host: _host, 'content-length': length, ...headers } = request.headers;
    pool
      .request({ method, path, headers: { ...headers, 'content-length': length }, body: request })
      .then(({ statusCode, headers: answerHeaders, body }) => {
        response.writeHead(statusCode, answerHeaders).on('close', () => body.destroy());
        body.on('error', () => response.destroy()).pipe(response);
      })
      .catch(() => response.destroy());
  };
}

server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.once('SIGTERM', () => process.exit(0));
