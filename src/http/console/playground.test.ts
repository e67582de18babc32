import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../../testing/fake-callers.ts';
import { HttpGateway } from '../../../testing/http-gateway.ts';
import { multipartBody, multipartType } from '../../../testing/multipart.ts';
import { ConsoleClient, SAME_ORIGIN } from '../../../testing/people/console-client.ts';
import { LogInWorld } from '../../../testing/people/log-in-world.ts';
import { FakeTextEngine } from '../../../testing/text/fake-text-engine.ts';
import { streamData } from '../../../testing/text/stream-events.ts';

const chat = { model: 'tiny', messages: [{ role: 'user', content: 'Say hello.' }] };
const CHAT = '/playground/shop/v1/chat/completions';

let world: LogInWorld;
let engine: FakeTextEngine;
let directory: FakeCallerDirectory;
let gateway: HttpGateway;
const made: string[] = [];
beforeAll(async () => {
  world = new LogInWorld();
  engine = new FakeTextEngine();
  directory = new FakeCallerDirectory();
  directory.add('sk-web', makeCaller({ key: { id: 'web' } }));
  directory.add('sk-other', makeCaller({ stack: { id: 'other' }, key: { id: 'console' } }));
  gateway = await HttpGateway.start({
    console: {
      world,
      makeKey: async (stackId) => {
        if (stackId === 'none') return false;
        made.push(stackId);
        directory.add(
          `never sent ${stackId}`,
          makeCaller({ stack: { id: stackId }, key: { id: 'console' } }),
        );
        return true;
      },
      hasStack: async (stackId) => stackId !== 'none',
      reader: {
        kindOf: (bytes) => (bytes.length > 3 ? 'pdf' : undefined),
        showPdf: async ({ stackId }, atMost) => {
          expect([stackId, atMost]).toEqual(['shop', 30]);
          return [{ page: 2, width: 10, height: 20, png: Buffer.from('png') }];
        },
      },
    },
    directory,
    engines: [['gpu', engine]],
  });
  await world.add('ann');
  await world.add('auditor', { role: 'read-only', stackId: undefined });
  await world.add('member', { role: 'member', stackId: 'shop' });
  await world.add('stranger', { role: 'member', stackId: 'other' });
});
beforeEach(() => {
  gateway.usage.ended.length = 0;
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

describe('the playground', () => {
  it('answers as /v1 does, byte for byte, and counts under the key of the console', async () => {
    const client = await ConsoleClient.of(gateway, 'ann');
    const request = {
      method: 'POST',
      headers: { ...SAME_ORIGIN, 'content-type': 'application/json' },
      body: JSON.stringify({ ...chat, stream: true }),
    };
    const there = await client.call({ ...request, path: `/console/api${CHAT}` });
    const here = await client.call({ ...request, path: '/v1/chat/completions', key: 'sk-web' });
    expect(there.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const plain = (body: string) => body.replaceAll(/"id":"[^"]*"|"created":\d+/g, '');
    expect(streamData(there.body).length).toBeGreaterThan(2);
    expect(plain(there.body)).toBe(plain(here.body));
    const counted = gateway.usage.ended.map(({ caller, endpoint }) => [
      caller.stack.id,
      caller.key.id,
      endpoint,
    ]);
    expect(counted).toEqual([
      ['shop', 'console', '/v1/chat/completions'],
      ['shop', 'web', '/v1/chat/completions'],
    ]);
  });

  it('has every route of a key but the one for agents', () => {
    const keyed = gateway.routes.filter(({ access }) => access === 'key').map(({ path }) => path);
    const mounted = gateway.routes.filter(({ access }) => access === 'playground').map(({ path }) => path);
    expect(mounted).toEqual([...keyed.filter((path) => path !== '/mcp'), '/pages']);
  });

  it('refuses bodies as /v1 does', async () => {
    const client = await ConsoleClient.of(gateway, 'ann');
    const answer = await client.send('POST', CHAT, { ...chat, model: 'unknown' });
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([404, 'model_not_found']);
  });

  it('is open to operators and to members of the stack, and to look at also to who is read-only', async () => {
    const statuses = async (name: string) => {
      const client = await ConsoleClient.of(gateway, name);
      const asked = [
        await client.send('GET', '/playground/shop/v1/models'),
        await client.send('POST', CHAT, chat),
        await client.send('GET', '/playground/other/v1/models'),
        await client.send('GET', '/playground/none/v1/models'),
      ];
      return asked.map(({ status }) => status);
    };
    expect(await statuses('ann')).toEqual([200, 200, 200, 404]);
    expect(await statuses('member')).toEqual([200, 200, 404, 404]);
    expect(await statuses('auditor')).toEqual([200, 403, 200, 404]);
    expect(await statuses('stranger')).toEqual([404, 404, 200, 404]);
  });

  it('makes no key for who is read-only', async () => {
    const client = await ConsoleClient.of(gateway, 'auditor');
    const refused = await client.send('GET', '/playground/fresh/v1/models');
    expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('it was not used yet')]);
    expect(made).not.toContain('fresh');
    await (await ConsoleClient.of(gateway, 'ann')).send('GET', '/playground/fresh/v1/models');
    expect(made).toContain('fresh');
    expect((await client.send('GET', '/playground/fresh/v1/models')).status).toBe(200);
  });

  it('runs as the key that was pasted, which gets no more than it had', async () => {
    const client = await ConsoleClient.withKey(gateway, 'sk-web');
    expect(JSON.parse((await client.send('GET', '/session')).body)).toMatchObject({
      name: 'key:shop/web',
      role: 'member',
      stack: 'shop',
      read_only: true,
      playground: true,
    });
    expect((await client.send('POST', CHAT, chat)).status).toBe(200);
    expect(gateway.usage.ended.at(-1)?.caller.key.id).toBe('web');
    expect((await client.send('POST', '/stacks/shop/keys', { id: 'more' })).status).toBe(403);
    expect((await client.send('POST', '/captures', { stack: 'shop', key: 'web', minutes: 1 })).status).toBe(
      403,
    );
    const wrong = await ConsoleClient.withKey(gateway, 'sk-wrong');
    expect(wrong.cookie).toBeUndefined();
  });

  it('is not opened by a key that sees only a part of its stack, or from another address', async () => {
    const whole = { scopes: undefined, allowedIps: undefined, readOnly: false };
    const keys = {
      'sk-scoped': { restrictions: { ...whole, scopes: ['chat' as const] } },
      'sk-far': { restrictions: { ...whole, allowedIps: ['192.0.2.0/24'] } },
      'sk-own': { ownImagesOnly: true },
      'sk-near': { restrictions: { ...whole, allowedIps: ['127.0.0.0/8'] } },
    };
    for (const [secret, key] of Object.entries(keys)) directory.add(secret, makeCaller({ key }));
    const opened = Object.keys(keys).map(async (secret) => {
      const { cookie } = await ConsoleClient.withKey(gateway, secret);
      return cookie !== undefined;
    });
    expect(await Promise.all(opened)).toEqual([false, false, false, true]);
  });

  it('is closed to a session of a key from where the key may not be used any more', async () => {
    const client = await ConsoleClient.withKey(gateway, 'sk-web');
    const statuses = async () => [
      (await client.send('GET', '/session')).status,
      (await client.send('GET', '/engines')).status,
      (await client.send('GET', '/playground/shop/v1/models')).status,
    ];
    expect(await statuses()).toEqual([200, 200, 200]);
    const { rights } = world.people.sessions;
    rights.set('shop/web', { knowledge: undefined, allowedIps: ['192.0.2.0/24'] });
    expect(await statuses()).toEqual([401, 401, 401]);
    rights.delete('shop/web');
  });

  it('shows the pages of a document', async () => {
    const client = await ConsoleClient.of(gateway, 'member');
    const send = (content: string) => {
      const body = multipartBody([{ name: 'file', fileName: 'a.pdf', text: content }]);
      const headers = { ...SAME_ORIGIN, 'content-type': multipartType };
      return client.call({ method: 'POST', path: '/console/api/playground/shop/pages', headers, body });
    };
    const image = `data:image/png;base64,${Buffer.from('png').toString('base64')}`;
    expect(JSON.parse((await send('%PDF-1.7')).body)).toEqual({
      pages: [{ page: 2, width: 10, height: 20, image }],
    });
    expect((await send('no')).status).toBe(400);
  });
});
