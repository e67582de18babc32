import { beforeEach, expect, it } from 'vitest';
import { type CliResult, runCli } from '../../testing/cli-run.ts';
import { describeOnDatabase } from '../../testing/describe-on-databases.ts';
import { storeOwners } from '../../testing/images/stored-owners.ts';
import { listBlobs } from '../../testing/list-blobs.ts';
import { MemoryBlobStore } from '../../testing/memory-blob-store.ts';
import { newResponse, oddItem } from '../../testing/text/describe-response-store.ts';
import { SqlConversations } from '../store/sql-conversations.ts';
import { SqlResponses } from '../store/sql-responses.ts';

const LARGE = 'x'.repeat(70_000);

describeOnDatabase('stackgate responses', (database) => {
  let blobs: MemoryBlobStore;
  let store: SqlResponses;
  let conversations: SqlConversations;
  beforeEach(async () => {
    blobs = new MemoryBlobStore();
    await storeOwners(database().pool);
    const options = { pool: database().pool, blobs, retentionDays: 30 };
    store = new SqlResponses(options);
    conversations = new SqlConversations(options);
    const web = newResponse('web');
    const app = { ...web.owner, keyId: 'app' };
    await store.save(newResponse('web', { text: LARGE }));
    await store.save(newResponse('app', { owner: app, text: LARGE }));
    await conversations.create(app, { metadata: {}, items: [oddItem('msg_1', LARGE)] });
  });

  it('list shows the responses of a stack, of a key, of a time, and nothing they say', async () => {
    const { code, out } = await cli('list', 'shop');
    expect([code, out.includes('resp_web'), out.includes('resp_app'), out.includes('quoted')]).toEqual([
      0,
      true,
      true,
      false,
    ]);
    const ofKey = JSON.parse((await cli('list', 'shop', '--key', 'app', '--json')).out);
    expect(ofKey).toMatchObject([{ id: 'resp_app', stack: 'shop', status: 'completed', model: 'tiny' }]);
    expect((await cli('list', 'shop', '--before', '2020-01-01')).out).toBe('(none)\n');
    expect((await cli('list', 'other')).out).toBe('(none)\n');
  });

  it('show prints what is stored', async () => {
    const { out } = await cli('show', 'resp_web', '--json');
    expect(JSON.parse(out)).toMatchObject({
      id: 'resp_web',
      input: [{ id: 'msg_web_i_0' }],
      response: { id: 'resp_web', output: [{ content: [{ text: LARGE }] }] },
    });
    const unknown = await cli('show', 'resp_none');
    expect([unknown.code, unknown.err]).toEqual([
      3,
      expect.stringContaining(
        'there is no response "resp_none"; "stackgate responses list <stack>" shows them',
      ),
    ]);
  });

  it('delete removes one response, with a record of it', async () => {
    const { code, out } = await cli('delete', 'resp_web');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^1 response\(s\) and 0 conversation\(s\) of response "resp_web" are erased \(record \d+\)\.\n$/,
      ),
    ]);
    expect(await store.find('shop', 'resp_web')).toBeUndefined();
    expect(await listBlobs(blobs)).toHaveLength(2);
    expect((await cli('delete', 'resp_web')).code).toBe(3);
  });

  it.each([
    [['--key', 'shop/app'], 1],
    [['--stack', 'shop'], 2],
    [['--account', 'acme'], 2],
  ])(
    'erase %j removes what it names with its conversations, and erasures shows it',
    async (target, count) => {
      const { code, out } = await cli('erase', ...target, '--json');
      expect([code, JSON.parse(out)]).toEqual([
        0,
        expect.objectContaining({
          responses: count,
          conversations: 1,
          size_bytes: expect.any(Number),
          finished_at: expect.any(String),
        }),
      ]);
      expect(await listBlobs(blobs)).toHaveLength(2 - count);
      const record = (await cli('erasures')).out;
      expect([record.includes(target[1] ?? '?'), record.includes('quoted')]).toEqual([true, false]);
    },
  );

  it.each([
    [[], 'say what to erase with one of'],
    [['--stack', 'shop', '--account', 'acme'], 'say what to erase with one of'],
    [['--key', 'web'], '--key is a stack and a key, as in shop/web; got "web"'],
  ])('erase %j is refused', async (options, message) => {
    const { code, err } = await cli('erase', ...options);
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
    expect(await listBlobs(blobs)).toHaveLength(3);
  });

  function cli(...argv: readonly string[]): Promise<CliResult> {
    return runCli(['responses', ...argv], {
      openBlobs: async () => blobs,
      withDatabase: (_config, work) => work(database().pool),
    });
  }
});
