// A plain proxy: Node's HTTP server that forwards requests and answers, nothing else. The argument is the upstream's address.
import http from 'node:http';

const upstream = new URL(process.argv[2]);
const { hostname, port } = upstream;
const agent = new http.Agent({ keepAlive: true, maxSockets: 2_048 });
const server = http.createServer((request, response) => {
  const { method, url: path } = request;
  const headers = { ...request.headers, host: upstream.host };
  const forwarded = http.request({ agent, hostname, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  forwarded.on('error', () => response.destroy());
  response.on('close', () => forwarded.destroy());
  request.pipe(forwarded);
});

server.listen(0, '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}`));
process.once('SIGTERM', () => process.exit(0));
