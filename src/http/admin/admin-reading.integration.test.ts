import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCaller } from '../../../testing/fake-callers.ts';
import { call } from '../../../testing/http-call.ts';
import { HttpGateway } from '../../../testing/http-gateway.ts';
import { makeImage } from '../../../testing/images/make-image.ts';
import { MemoryBlobStore } from '../../../testing/memory-blob-store.ts';
import { openMigratedDatabase, type TestDatabase } from '../../../testing/open-test-database.ts';
import { operatorWork } from '../../../testing/operator-work.ts';
import { usageRow } from '../../../testing/usage/usage-rows.ts';
import { generateOperatorSecret } from '../../access/key-secret.ts';
import { createKey } from '../../admin/keys.ts';
import { createStack } from '../../admin/stacks.ts';
import { ImageRecords } from '../../store/image-records.ts';
import { SqlGallery } from '../../store/sql-gallery.ts';
import { SqlKnowledge } from '../../store/sql-knowledge.ts';
import { SqlUsage } from '../../store/sql-usage.ts';

const [ada, mia] = [generateOperatorSecret(), generateOperatorSecret()];
const { signal } = new AbortController();
const blobs = new MemoryBlobStore();
const today = new Date().toISOString().slice(0, 10);
const ids: string[] = [];

let database: TestDatabase;
let gateway: HttpGateway;

beforeAll(async () => {
  database = await openMigratedDatabase('embedded');
  const { pool } = database;
  gateway = await HttpGateway.start({
    operators: {
      [ada]: { name: 'ada', door: 'token', role: 'operator' },
      [mia]: { name: 'mia', door: 'token', role: 'member', stackId: 'depot' },
    },
    admin: {
      pool,
      blobs,
      engines: () => [
        {
          name: 'gpu',
          capability: 'text',
          kind: 'openai',
          state: 'degraded',
          model: 'tiny',
          waiting: undefined,
          lastError: 'gone',
        },
      ],
      queues: () => [['images', 3]],
      pictures: {
        preview: async (_bytes, { longerSide = 0 }) => ({
          type: 'preview',
          bytes: Buffer.from('small'),
          mediaType: 'image/jpeg',
          width: longerSide,
          height: longerSide,
        }),
      },
      stackCaller: async (id) => (id === 'shop' ? makeCaller({ stack: { id }, key: { id: '' } }) : undefined),
    },
  });
  for (const stackId of ['shop', 'depot']) {
    await createStack(operatorWork(pool), stackId, {});
    await createKey(operatorWork(pool), { stackId, id: 'web' });
  }
  await fill();
});

afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await database.close();
});

async function fill(): Promise<void> {
  const { pool } = database;
  const gallery = new SqlGallery({ records: new ImageRecords(pool), blobs, retentionDays: 30 });
  const parent = await gallery.keep(
    { ...makeImage(), accountId: 'shop', stackId: 'shop', keyId: 'web', seed: 2n ** 64n - 1n },
    signal,
  );
  const edit = { ...makeImage(), route: 'edits', references: 1, referenceHashes: [parent.sha256] } as const;
  const child = await gallery.keep({ ...edit, accountId: 'shop', stackId: 'shop', keyId: 'web' }, signal);
  ids.push(parent.id, child.id);
  await new SqlUsage(pool).add({
    process: 'one',
    sequence: 1,
    rows: [
      usageRow({ day: today, stack: 'shop', key: 'web', requests: 3, promptTokens: 10 }),
      usageRow({ day: today, stack: 'depot', key: '=x', requests: 4, promptTokens: 20 }),
      ...['2020-01-06', '2020-01-05'].map((day) => usageRow({ day, stack: 'depot', key: 'old' })),
    ],
  });
  const knowledge = new SqlKnowledge(pool, blobs);
  for (const stackId of ['shop', 'depot'])
    await knowledge.save({ stackId, name: 'a.md', bytes: Buffer.from('#'), declared: false }, signal);
}

async function get(path: string, token = ada) {
  const answer = await call(gateway, {
    path: `/admin/v1${path}`,
    headers: { authorization: `Bearer ${token}` },
  });
  return { status: answer.status, body: answer.body, headers: answer.headers };
}

async function getJson(path: string, token = ada) {
  return JSON.parse((await get(path, token)).body);
}

describe('what an operator looks at', () => {
  it('has the engines, the queues and the usage of each day', async () => {
    const overview = await getJson('/overview');
    expect(overview).toMatchObject({
      replica: 'test:1',
      engines: [{ name: 'gpu', capability: 'text', state: 'degraded', last_error: 'gone', waiting: null }],
      queues: [{ name: 'images', waiting: 3 }],
      now: { in_flight: 1 },
      today: { requests: 7, prompt_tokens: 30 },
    });
    expect(overview.days).toHaveLength(30);
    expect(overview.days.at(-1)).toMatchObject({ day: today, requests: 7 });
    expect((await getJson('/overview', mia)).today.requests).toBe(4);
  });

  it('has usage in the groups that were asked for, with totals, also as a file', async () => {
    const usage = await getJson('/usage?group_by=stack,key');
    expect(usage.data).toMatchObject([
      { stack: 'depot', key: '=x', requests: 4 },
      { stack: 'shop', key: 'web', requests: 3 },
    ]);
    expect(usage.totals).toMatchObject({
      requests: 7,
      total_tokens: usage.data[0].total_tokens + usage.data[1].total_tokens,
    });
    expect((await getJson('/usage?key=web')).totals.requests).toBe(3);
    expect((await getJson('/usage?group_by=stack', mia)).data).toMatchObject([{ stack: 'depot' }]);
    const file = await get('/usage?group_by=stack,key&format=csv');
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.body.split('\r\n')[1]).toMatch(/^depot,'=x,4,20,/);
    const largest = await getJson('/usage?group_by=stack,key&limit=1');
    expect(largest).toMatchObject({ data: [{ stack: 'depot', requests: 4 }], groups: 2, truncated: true });
    expect(largest.totals).toEqual(usage.totals);
    const old = await get('/usage?since=2020-01-01&until=2020-02-01&group_by=day,stack,key&format=csv');
    expect(old.body.split('\r\n').map((line) => line.split(',').slice(0, 4).join(' '))).toEqual([
      'day stack key requests',
      '2020-01-05 depot old 1',
      '2020-01-06 depot old 1',
      '',
    ]);
    const daily = await getJson('/usage?since=2020-01-01&until=2020-02-01&group_by=stack&days=true');
    expect([daily.data.length, daily.days.map(({ day }: { day: string }) => day)]).toEqual([
      1,
      ['2020-01-05', '2020-01-06'],
    ]);
    expect(usage).not.toHaveProperty('days');
    expect((await getJson('/usage?days=true', mia)).days).toMatchObject([{ day: today, requests: 4 }]);
    expect((await get('/usage?days=yes')).status).toBe(400);
    expect((await get('/usage?limit=1001')).status).toBe(400);
    expect((await get('/usage?group_by=colour')).status).toBe(400);
    expect((await get('/usage?format=xls')).status).toBe(400);
  });

  it('has the limits of a stack', async () => {
    expect(await getJson('/limits?stack=shop')).toMatchObject({ stack: 'shop', key: '', plan: 'max' });
    expect((await get('/limits')).status).toBe(400);
    expect((await get('/limits?stack=none')).status).toBe(404);
    expect((await get('/limits?stack=shop', mia)).status).toBe(404);
  });

  it('has every day of several years, however few groups were asked for', async () => {
    const days = Array.from({ length: 1_001 }, (_, place) =>
      new Date(Date.UTC(2010, 0, 1 + place)).toISOString().slice(0, 10),
    );
    const rows = days.map((day) => usageRow({ day, stack: 'depot', key: 'old' }));
    await new SqlUsage(database.pool).add({ process: 'one', sequence: 2, rows });
    const usage = await getJson('/usage?since=2010-01-01&until=2013-12-31&group_by=stack&limit=1&days=true');
    expect([usage.totals.requests, usage.data.length]).toEqual([days.length, 1]);
    expect(usage.days.map(({ day }: { day: string }) => day)).toEqual(days);
  });

  it('has a stack with its keys and limits in one answer, where they are asked for', async () => {
    const [alone, whole] = [
      await getJson('/stacks/shop'),
      await getJson('/stacks/shop?include=keys,limits&limit=1'),
    ];
    expect(alone).not.toHaveProperty('included');
    const { included, ...stack } = whole;
    expect(stack).toEqual(alone);
    expect(included.keys).toEqual(await getJson('/stacks/shop/keys?limit=1'));
    expect(included.limits).toEqual((await getJson('/limits?stack=shop')).data);
    expect((await getJson('/stacks/shop?include=keys')).included).not.toHaveProperty('limits');
    const { next_cursor: afterFirst } = await getJson('/keys?limit=1');
    const [first, second] = [
      await getJson('/stacks/depot?include=keys'),
      await getJson(`/stacks/depot?include=keys&cursor=${afterFirst}`),
    ];
    expect([first, second].map((each) => each.included.keys.data.length)).toEqual([1, 0]);
    expect((await get('/stacks/shop?include=secrets')).status).toBe(400);
    expect((await get('/stacks/shop?include=keys', mia)).status).toBe(404);
  });

  it('has images with what they were painted from, and their bytes', async () => {
    const [parent = '', child = ''] = ids;
    const { data } = await getJson('/images');
    const byId = new Map(data.map((image: { id: string }) => [image.id, image]));
    expect(byId.get(child)).toMatchObject({ stack: 'shop', parents: [parent], reference_images: 1 });
    expect(byId.get(parent)).toMatchObject({ seed: '18446744073709551615', parents: [] });
    const first = await getJson('/images?limit=1');
    const second = await getJson(`/images?limit=1&cursor=${first.next_cursor}`);
    expect([first.data[0].id, second.data[0].id].sort()).toEqual([parent, child].sort());
    expect(second.next_cursor).toBeNull();
    expect(await getJson(`/images/${child}`)).toMatchObject({ id: child, parents: [parent] });
    const png = await get(`/images/${child}/content`);
    expect([png.status, png.headers['content-type']]).toEqual([200, 'image/png']);
    const small = await get(`/images/${child}/content?width=64`);
    expect([small.headers['content-type'], small.body]).toEqual(['image/jpeg', 'small']);
    expect((await get(`/images/${child}/content?width=5000`)).status).toBe(400);
    expect((await get(`/images/${child}`, mia)).status).toBe(404);
    expect((await getJson('/images', mia)).data).toEqual([]);
  });

  it('has documents and responses of the stacks that it may see', async () => {
    const { data, next_cursor: cursor } = await getJson('/knowledge?limit=1');
    expect(data).toMatchObject([{ stack: 'depot', name: 'a.md', state: 'queued' }]);
    expect((await getJson(`/knowledge?cursor=${cursor}`)).data).toMatchObject([{ stack: 'shop' }]);
    expect((await getJson('/knowledge', mia)).data).toHaveLength(1);
    expect(await getJson('/responses')).toEqual({ data: [], next_cursor: null });
  });

  it('has the audit, for members what concerns their stack', async () => {
    const { data, next_cursor: cursor } = await getJson('/audit?limit=3');
    expect(data.map(({ sequence }: { sequence: number }) => sequence)).toEqual([4, 3, 2]);
    expect((await getJson(`/audit?cursor=${cursor}`)).data).toMatchObject([
      { sequence: 1, action: 'stack.create' },
    ]);
    expect((await getJson('/audit', mia)).data.map(({ target }: { target: string }) => target)).toEqual([
      'depot/web',
      'depot',
    ]);
    expect((await getJson('/audit?action=key.create&stack=shop')).data).toMatchObject([
      { target: 'shop/web' },
    ]);
  });
});
