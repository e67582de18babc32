import { afterEach, describe, expect, it } from 'vitest';
import { call, jsonCall } from '../../testing/http-call.ts';
import { goodKey, HttpGateway, textKey } from '../../testing/http-gateway.ts';
import { scriptedRoute } from '../../testing/scripted-route.ts';
import { Fault } from '../faults/fault.ts';
import type { BodyRule } from './body-rules.ts';

const MARKER = 'MARKER-7f3a';
const FORBIDDEN = [MARKER, 'at ', '/work', 'node_modules', 'select ', '.ts:', 'ECONN', 'Error:'];

/** Errors that a bug, a driver or an upstream might throw. */
function nastyErrors(): readonly unknown[] {
  const deep = new Error(`${MARKER} upstream said: Authorization: Bearer sk-upstream`, {
    cause: new Error(`${MARKER} /work/secret/path`),
  });
  return [
    deep,
    Object.assign(new Error(`${MARKER} select * from keys`), {
      code: 'ECONNREFUSED',
      status: 200,
      statusCode: 418,
    }),
    new TypeError(`Cannot read properties of undefined (reading '${MARKER}')`),
    new AggregateError([deep], MARKER),
    new Fault('database-away', 'The database is away.', { cause: deep }),
    MARKER,
    { message: MARKER, headers: { [MARKER]: MARKER } },
    null,
    undefined,
  ];
}

let gateway: HttpGateway;
afterEach(async () => {
  await gateway[Symbol.asyncDispose]();
});

async function expectSilent(path: string, body = '{}'): Promise<void> {
  const answer = await call(
    gateway,
    path.startsWith('/v1/models') ? { path, key: goodKey } : jsonCall(path, goodKey, body),
  );
  expect([500, 503, 415]).toContain(answer.status);
  const text = `${JSON.stringify(answer.headers)} ${answer.body}`;
  expect(FORBIDDEN.filter((word) => text.includes(word))).toEqual([]);
}

const paths = [
  '/v1/models',
  '/v1/models/tiny',
  '/v1/chat/completions',
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/schemas/check',
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/documents/extract',
  '/v1/images/extract',
  '/v1/documents/generate',
];

describe('nothing internal leaves', () => {
  it('when the directory throws', async () => {
    let error: unknown;
    const fail = () => Promise.reject(error);
    gateway = await HttpGateway.start({ directory: { find: fail, findKey: fail, existing: fail } });
    for (error of nastyErrors()) {
      for (const path of paths) await expectSilent(path);
    }
  });

  it('when the directory throws before it promises anything', async () => {
    const fail = () => {
      throw nastyErrors()[0];
    };
    gateway = await HttpGateway.start({ directory: { find: fail, findKey: fail, existing: fail } });
    for (const path of paths) await expectSilent(path);
  });

  it('when the admission throws', async () => {
    let error: unknown;
    const admit = () => {
      throw error;
    };
    gateway = await HttpGateway.start({ admission: { admit } });
    for (error of nastyErrors()) {
      for (const path of paths) await expectSilent(path);
    }
  });

  it('when the reading of a body throws', async () => {
    const body: BodyRule = {
      kind: 'json',
      cap: () => {
        throw nastyErrors()[0];
      },
      tooLarge: 'body-too-large',
    };
    const route = scriptedRoute({ body, handle: () => ({ contentType: 'text/plain', body: '' }) });
    gateway = await HttpGateway.start({ routes: [route] });
    await expectSilent('/v1/scripted');
  });

  it('when a handler throws or rejects', async () => {
    let error: unknown;
    const throws = scriptedRoute({
      path: '/v1/throws',
      handle: () => {
        throw error;
      },
    });
    const rejects = scriptedRoute({ path: '/v1/rejects', handle: () => Promise.reject(error) });
    gateway = await HttpGateway.start({ routes: [throws, rejects] });
    for (error of nastyErrors()) {
      await expectSilent('/v1/throws');
      await expectSilent('/v1/rejects');
      expect(await gateway.inFlight()).toBe(0);
    }
  });

  it('when the answer of a handler cannot be sent', async () => {
    const handle = () => ({ contentType: 'text/plain\r\nx: y', headers: { [MARKER]: '\n' }, body: MARKER });
    gateway = await HttpGateway.start({ routes: [scriptedRoute({ handle })] });
    await expectSilent('/v1/scripted');
  });

  it('when the check for readiness throws', async () => {
    let error: unknown;
    gateway = await HttpGateway.start({ notReady: () => Promise.reject(error) });
    for (error of nastyErrors()) {
      const answer = await call(gateway, { path: '/readyz' });
      expect([500, 503]).toContain(answer.status);
      expect(FORBIDDEN.filter((word) => answer.body.includes(word))).toEqual([]);
    }
  });
});

describe('the log', () => {
  it('has the cause of a failure under the id of its request', async () => {
    const route = scriptedRoute({ handle: () => Promise.reject(new Error('the pump is broken')) });
    gateway = await HttpGateway.start({ routes: [route] });
    const answer = await call(gateway, jsonCall('/v1/scripted', goodKey));
    const lines = gateway.log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const failure = lines.find(({ level }) => level === 'error');
    expect(failure).toMatchObject({
      requestId: answer.headers['x-request-id'],
      fault: 'internal',
      error: { message: 'the pump is broken' },
    });
  });

  it('has one line for each request, and no key, no path, no body, no header of a client', async () => {
    gateway = await HttpGateway.start();
    const secrets = { cookie: MARKER, 'user-agent': MARKER, referer: MARKER, 'x-request-id': MARKER };
    const bodies = [`{"prompt":"${MARKER}"}`, `{"prompt":${MARKER}`, `${MARKER}`];
    const unknown = `sk-${MARKER}`;
    for (const path of paths) {
      for (const key of [goodKey, textKey, unknown]) {
        for (const body of bodies) {
          const request = jsonCall(`${path}?q=${MARKER}`, key, body);
          const method = path.startsWith('/v1/models') ? 'GET' : 'POST';
          const answer = await call(gateway, {
            ...request,
            method,
            headers: { ...request.headers, ...secrets },
          });
          expect(`${JSON.stringify(answer.headers)} ${answer.body}`).not.toContain(MARKER);
        }
      }
    }
    await call(gateway, { path: `/${MARKER}` });
    await call(gateway, { path: `/v1/models/${MARKER}`, key: goodKey });
    const sent = paths.length * 3 * bodies.length + 2;
    await expect.poll(() => gateway.log.trim().split('\n').length).toBe(sent);
    for (const word of [MARKER, 'sk-', 'prompt', 'cookie', 'authorization']) {
      expect(gateway.log).not.toContain(word);
    }
  });

  it('has no bytes of an unparsable request', async () => {
    gateway = await HttpGateway.start();
    await using client = await gateway.connect();
    await client.send(`${MARKER}\r\n\r\n`);
    const answer = await client.answer();
    expect(answer.status).toBe(400);
    expect(`${gateway.log} ${answer.body}`).not.toContain(MARKER);
    expect(gateway.log).toContain(answer.headers['x-request-id']);
  });
});
