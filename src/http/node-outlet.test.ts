import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { NodeOutlet } from './node-outlet.ts';
import type { Outlet } from './outlet.ts';

const head = { status: 200, requestId: 'req_1', lines: 'content-type: text/plain\r\n' };

it.each([
  ['a whole answer', (outlet: Outlet) => outlet.send(head, 'hello'), { isBegun: false, isEnded: false }],
  [
    'a stream',
    (outlet: Outlet) => {
      outlet.open(head);
      outlet.write('hel');
      outlet.end('lo');
    },
    { isBegun: true, isEnded: false },
  ],
])('tells of the last bytes of %s before they leave', async (_, answer, expected) => {
  const told: object[] = [];
  await using server = createServer((request, response) => {
    const outlet = new NodeOutlet(request, response, { lingerMs: 1_000, turns: { take: () => undefined } });
    outlet.listen({
      ending: () => void told.push({ isBegun: response.headersSent, isEnded: response.writableEnded }),
      drained: () => {},
      closed: () => {},
    });
    answer(outlet);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hello');
  expect(told).toEqual([expected]);
});
