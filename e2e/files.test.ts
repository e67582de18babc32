import { expect, it } from 'vitest';
import { startGateway } from './gateway-process.ts';
import { WorkFolder } from './work-folder.ts';

const key = 'sk-files-0123456789abcdef';

it('keeps files and their links over a restart, and takes bytes by a link without a key', async () => {
  using folder = await WorkFolder.withDatabase();
  folder.configure(`stacks: [{ id: shop, account: acme, keys: [{ id: web, secret: ${key} }] }]\n`);
  let links: Record<'url' | 'id', string>[];
  {
    await using gateway = await startGateway(folder);
    const announced = await gateway.request('/v1/files/uploads', {
      method: 'POST',
      key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ filename: 'a.txt', bytes: 2_000_000 }),
    });
    const { id, url } = announced.json() as Record<'id' | 'url', string>;
    const sent = await fetch(url, { method: 'PUT', body: 'x'.repeat(2_000_000) });
    expect([sent.status, await sent.json()]).toEqual([
      200,
      expect.objectContaining({ id, bytes: 2_000_000 }),
    ]);
    const other = await gateway.request('/v1/files/uploads', {
      method: 'POST',
      key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ filename: 'b.txt', bytes: 3 }),
    });
    links = [
      (await gateway.request(`/v1/files/${id}/url`, { key })).json() as Record<'id' | 'url', string>,
      other.json() as Record<'id' | 'url', string>,
    ];
  }
  await using gateway = await startGateway(folder);
  const again = (url: string) => gateway.url + url.slice(new URL(url).origin.length);
  const [read, write] = links;
  expect((await (await fetch(again(read?.url ?? ''))).text()).length).toBe(2_000_000);
  const sent = await fetch(again(write?.url ?? ''), { method: 'PUT', body: 'abc' });
  expect(sent.status).toBe(200);
  expect((await fetch(again(write?.url ?? ''), { method: 'PUT', body: 'abc' })).status).toBe(409);
  expect((await fetch(again(write?.url ?? ''))).status).toBe(403);
  const { data } = (await gateway.request('/v1/files', { key })).json() as { data: readonly object[] };
  expect(data).toMatchObject([{ filename: 'b.txt' }, { filename: 'a.txt' }]);
});
