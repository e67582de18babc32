import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeCallerDirectory, makeCaller } from '../../../testing/fake-callers.ts';
import { jsonCall } from '../../../testing/http-call.ts';
import { HttpGateway } from '../../../testing/http-gateway.ts';
import { ConsoleClient } from '../../../testing/people/console-client.ts';
import { LogInWorld } from '../../../testing/people/log-in-world.ts';
import { FakeTextEngine, textAnswer } from '../../../testing/text/fake-text-engine.ts';
import type { Operator } from '../../access/operator.ts';
import { MAX_BODY_BYTES } from '../capture.ts';
import { MAX_CAPTURES_PER_STACK } from '../captures.ts';
import type { CaptureAction } from './capture-routes.ts';

const chat = (content: string, rest = {}) =>
  JSON.stringify({ model: 'tiny', messages: [{ role: 'user', content }], ...rest });
const MINUTE_MS = 60_000;

let world: LogInWorld;
let gateway: HttpGateway;
let engine: FakeTextEngine;
let ann: ConsoleClient;
const audited: [Operator, CaptureAction][] = [];
let refusesAudit = false;
beforeAll(async () => {
  world = new LogInWorld();
  engine = new FakeTextEngine();
  const directory = new FakeCallerDirectory();
  directory.add('sk-web', makeCaller());
  directory.add('sk-app', makeCaller({ key: { id: 'app' } }));
  directory.add('sk-web-of-other', makeCaller({ stack: { id: 'other' } }));
  const audit = async (operator: Operator, action: CaptureAction) => {
    if (refusesAudit) throw new Error('the database is away');
    audited.push([operator, action]);
  };
  gateway = await HttpGateway.start({ console: { world, audit }, directory, engines: [['gpu', engine]] });
  await world.add('ann');
  await world.add('auditor', { role: 'read-only', stackId: undefined });
  await world.add('member', { role: 'member', stackId: 'shop' });
  await world.add('stranger', { role: 'member', stackId: 'other' });
  ann = await ConsoleClient.of(gateway, 'ann');
});
beforeEach(async () => {
  for (const { id } of await list(ann)) await ann.send('DELETE', `/captures/${id}`);
  audited.length = 0;
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

describe('a capture', () => {
  it('has the bodies of the requests of one key and of their answers, and no secret', async () => {
    const id = await begin();
    await ask('sk-web', chat('the captured question'));
    await ask('sk-web', chat('the streamed question', { stream: true }));
    await ask('sk-app', chat('of another key'));
    await ask('sk-web-of-other', chat('of another stack'));
    const { body } = await ann.send('GET', `/captures/${id}`);
    const { entries, ...head } = JSON.parse(body);
    expect(head).toMatchObject({
      stack: 'shop',
      key: 'web',
      by: 'ann',
      active: true,
      requests: 2,
      dropped: 0,
    });
    expect(entries).toMatchObject([
      {
        endpoint: '/v1/chat/completions',
        status: 200,
        request: { text: chat('the streamed question', { stream: true }) },
      },
      { method: 'POST', status: 200, request: { text: chat('the captured question'), truncated: false } },
    ]);
    expect(entries[0].answer.text).toMatch(/^data: \{.*Hello.*data: \[DONE\]\n\n$/s);
    expect(JSON.parse(entries[1].answer.text).choices[0].message.content).toBe('Hello');
    expect(body).not.toMatch(/sk-web|of another/);
  });

  it('has refusals too', async () => {
    const id = await begin();
    await ask('sk-web', '{"model": "none", "messages": []}');
    await ask('sk-web', 'no JSON');
    const [malformed, unknown] = (await read(id)).entries;
    expect([malformed?.status, malformed?.request.text]).toEqual([400, 'no JSON']);
    expect([unknown?.status, unknown?.answer.text]).toEqual([400, expect.stringContaining('messages')]);
  });

  it('is written to the audit, or there is none', async () => {
    await begin(2);
    expect(audited).toEqual([
      [
        expect.objectContaining({ name: 'ann', door: 'console' }),
        { action: 'capture.start', stackId: 'shop', keyId: 'web', minutes: 2 },
      ],
    ]);
    refusesAudit = true;
    const refused = await ann.send('POST', '/captures', { stack: 'shop', key: 'web', minutes: 1 });
    refusesAudit = false;
    expect(refused.status).toBe(500);
    expect(await list(ann)).toHaveLength(1);
  });

  it('ends after its minutes', async () => {
    const id = await begin(1);
    world.clock.advance(MINUTE_MS);
    await ask('sk-web', chat('too late'));
    expect(await read(id)).toMatchObject({ active: false, entries: [] });
    await ann.send('DELETE', `/captures/${id}`);
    expect((await ann.send('GET', `/captures/${id}`)).status).toBe(404);
    expect(audited.at(-1)?.[1].action).toBe('capture.delete');
  });

  it('is shown to all who see the stack; its bodies to who may use the stack', async () => {
    const id = await begin();
    const seen = async (name: string) => {
      const client = await ConsoleClient.of(gateway, name);
      const { status } = await client.send('GET', `/captures/${id}`);
      return [(await list(client)).length, status];
    };
    expect(await seen('member')).toEqual([1, 200]);
    expect(await seen('auditor')).toEqual([1, 403]);
    expect(await seen('stranger')).toEqual([0, 404]);
  });

  it.each([
    ['ann', { stack: 'shop', key: 'web', minutes: 16 }, 400],
    ['ann', { stack: 'shop', key: 'web', minutes: 0 }, 400],
    ['ann', { stack: 'shop', key: 'web' }, 400],
    ['ann', { stack: 'shop', minutes: 1 }, 400],
    ['ann', { stack: 'shop', key: 'none', minutes: 1 }, 404],
    ['member', { stack: 'other', key: 'web', minutes: 1 }, 404],
    ['member', { stack: 'shop', key: 'web', minutes: 15 }, 201],
    ['auditor', { stack: 'shop', key: 'web', minutes: 1 }, 403],
  ])('of %s is begun for one key and at most 15 minutes: %j', async (name, body, status) => {
    const client = await ConsoleClient.of(gateway, name);
    expect((await client.send('POST', '/captures', body)).status).toBe(status);
  });

  it('keeps the beginning of a long body', async () => {
    const id = await begin();
    const long = chat('x'.repeat(MAX_BODY_BYTES));
    engine.script = textAnswer('y'.repeat(2 * MAX_BODY_BYTES));
    await ask('sk-web', long);
    engine.script = textAnswer('Hello');
    const { entries } = await read(id);
    expect(entries[0]?.request).toMatchObject({ bytes: long.length, truncated: true });
    expect(entries[0]?.request.text).toHaveLength(MAX_BODY_BYTES);
    expect(entries[0]?.answer.text).toHaveLength(MAX_BODY_BYTES);
  });

  it('is one of a few of its stack, which leave room for those of others', async () => {
    for (let number = 0; number < MAX_CAPTURES_PER_STACK; number += 1) await begin();
    const body = { stack: 'shop', key: 'web', minutes: 1 };
    expect((await ann.send('POST', '/captures', body)).status).toBe(409);
    expect((await ann.send('POST', '/captures', { ...body, stack: 'other' })).status).toBe(201);
  });
});

interface SeenCapture {
  readonly id: string;
  readonly active: boolean;
  readonly requests: number;
  readonly dropped: number;
  readonly entries: readonly {
    readonly status: number;
    readonly request: { readonly text: string };
    readonly answer: { readonly text: string };
  }[];
}

async function begin(minutes = 5): Promise<string> {
  const answer = await ann.send('POST', '/captures', { stack: 'shop', key: 'web', minutes });
  expect(answer.status).toBe(201);
  return JSON.parse(answer.body).id;
}

async function list(client: ConsoleClient): Promise<readonly SeenCapture[]> {
  return JSON.parse((await client.send('GET', '/captures')).body).data;
}

async function read(id: string): Promise<SeenCapture> {
  return JSON.parse((await ann.send('GET', `/captures/${id}`)).body);
}

async function ask(key: string, body: string): Promise<void> {
  await new ConsoleClient(gateway).call(jsonCall('/v1/chat/completions', key, body));
}
