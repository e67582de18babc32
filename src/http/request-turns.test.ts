import { expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../testing/fake-callers.ts';
import { HttpGateway } from '../../testing/http-gateway.ts';
import { modelsFamily } from '../families/chat-family.ts';
import { jsonAnswer } from './answer.ts';
import type { KeyRoute } from './route.ts';

const BURST = 60;

it('begins a request of another stack before the rest of a burst that arrived first', async () => {
  const began: string[] = [];
  const route: KeyRoute = {
    method: 'GET',
    path: '/v1/noted',
    access: 'key',
    scope: 'models',
    family: modelsFamily,
    body: { kind: 'none' },
    group: 'Text',
    summary: 'Noted',
    detail: 'Noted.',
    answer: { contentType: 'application/json' },
    faults: [],
    handle: ({ caller }) => {
      began.push(caller.stack.id);
      return jsonAnswer({});
    },
  };
  const directory = new FakeCallerDirectory();
  for (const id of ['noisy', 'quiet']) directory.add(`sk-${id}`, makeCaller({ stack: { id } }));
  await using gateway = await HttpGateway.start({ routes: [route], directory });
  const request = (id: string) =>
    `GET ${route.path} HTTP/1.1\r\nhost: a\r\nauthorization: Bearer sk-${id}\r\n\r\n`;
  const clients = await Promise.all(Array.from({ length: BURST + 1 }, () => gateway.connect()));
  const askAll = async (idOf: (place: number) => string) => {
    await Promise.all(clients.map((client, place) => client.send(request(idOf(place)))));
    return await Promise.all(clients.map(async (client) => (await client.answer()).status));
  };
  // From then on both callers are remembered, and no connection is new.
  await askAll((place) => (place % 2 === 0 ? 'noisy' : 'quiet'));
  began.length = 0;
  const statuses = await askAll((place) => (place < BURST ? 'noisy' : 'quiet'));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(began).toHaveLength(BURST + 1);
  expect(began.indexOf('quiet')).toBeLessThan(BURST / 2);
  await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
});
