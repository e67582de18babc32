import { expect, it } from 'vitest';
import { call } from '../../../testing/http-call.ts';
import { goodKey, HttpGateway, textKey } from '../../../testing/http-gateway.ts';
import { generateOperatorSecret } from '../../access/key-secret.ts';
import { defaultStreamTimes, StreamWatch } from '../stream-watch.ts';

const [ada, mia] = [generateOperatorSecret(), generateOperatorSecret()];
const operators = {
  [ada]: { name: 'ada', door: 'token', role: 'operator' },
  [mia]: { name: 'mia', door: 'token', role: 'member', stackId: 'nobody' },
} as const;

function get(token: string, path: string, headers = {}) {
  return { path: `/admin/v1${path}`, headers: { authorization: `Bearer ${token}`, ...headers } };
}

it('shows requests with their keys and refusals, and neither probes nor operators', async () => {
  await using gateway = await HttpGateway.start({ operators });
  await call(gateway, { path: '/v1/models', key: goodKey });
  await call(gateway, { path: '/v1/models', key: 'sk-unknown' });
  await call(gateway, { path: '/healthz' });
  await call(gateway, get('sgo-wrong', '/engines'));
  const { body } = await call(gateway, get(ada, '/requests?limit=10'));
  expect(JSON.parse(body)).toMatchObject({
    replica: 'test:1',
    data: [
      {
        sequence: 2,
        stack: null,
        key: null,
        endpoint: '/v1/models',
        status: 401,
        error_code: 'invalid_api_key',
      },
      { sequence: 1, stack: 'shop', key: 'web', status: 200, error_code: null, streamed: false },
    ],
  });
  expect(JSON.parse((await call(gateway, get(mia, '/requests'))).body).data).toEqual([]);
});

it('sends requests as they end, from the one that the client saw last, until the gateway drains', async () => {
  await using gateway = await HttpGateway.start({ operators });
  for (const key of [goodKey, textKey]) await call(gateway, { path: '/v1/models', key });
  const response = await fetch(`${gateway.url}/admin/v1/requests`, {
    headers: { authorization: `Bearer ${ada}`, accept: 'text/event-stream', 'last-event-id': '1' },
  });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const until = async (pattern: RegExp) => {
    while (!pattern.test(text)) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      text += value;
    }
  };
  await until(/id: 2\nevent: request\ndata: .*\n\n/);
  await call(gateway, { path: '/v1/models', key: goodKey });
  await until(/id: 3\nevent: request\ndata: .*\n\n/);
  expect([...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id)).toEqual(['2', '3']);
  expect(text).toMatch(/^event: replica\ndata: \{"replica":"test:1"\}\n\n/);
  await gateway.drainGate.drain(new AbortController().signal);
  expect((await reader?.read())?.done).toBe(true);
});

it('ends the stream after a time, so that the credential of its reader is checked again', async () => {
  const watch = new StreamWatch({ ...defaultStreamTimes, followedMs: 1 });
  await using gateway = await HttpGateway.start({ operators, admin: { watch } });
  const headers = { authorization: `Bearer ${ada}`, accept: 'text/event-stream' };
  const response = await fetch(`${gateway.url}/admin/v1/requests`, { headers });
  expect(await response.text()).toMatch(/^event: replica\n/);
});
