// An image server that always answers with the same picture, at once or when told to.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const picture = readFileSync(process.argv[2]).toString('base64');
const answer = Buffer.from(JSON.stringify({ created: 1, data: [{ b64_json: picture }] }));
const models = Buffer.from(JSON.stringify({ object: 'list', data: [] }));
const held = [];
let isHolding = false;

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const send = (body) => {
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
        .end(body);
    };
    if (request.url === '/hold') {
      isHolding = true;
      send(models);
    } else if (request.url === '/release') {
      isHolding = false;
      for (const release of held.splice(0)) release();
      send(models);
    } else if (request.method === 'GET') send(models);
    else if (isHolding) held.push(() => send(answer));
    else send(answer);
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
process.once('SIGTERM', () => process.exit(0));
