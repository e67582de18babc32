import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { HeldClock as HeldTimers } from '../../testing/bad-child/clocks.ts';
import { describeOnDatabase } from '../../testing/describe-on-databases.ts';
import { HeldClock } from '../../testing/held-clock.ts';
import { HttpGateway } from '../../testing/http-gateway.ts';
import { MemoryBlobStore } from '../../testing/memory-blob-store.ts';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import { storedKey, storedStack } from '../../testing/stored-rows.ts';
import { FakeTextEngine } from '../../testing/text/fake-text-engine.ts';
import { hashSecret } from '../access/key-secret.ts';
import { changeRecords } from '../store/records.ts';
import { SqlCallerDirectory } from '../store/sql-caller-directory.ts';
import { SqlConversations } from '../store/sql-conversations.ts';
import { SqlResponseQueue } from '../store/sql-response-queue.ts';
import { SqlResponses } from '../store/sql-responses.ts';
import { SqlUsage } from '../store/sql-usage.ts';
import { createLog } from '../telemetry/log.ts';
import { UsageFlusher } from '../usage/usage-flusher.ts';
import { UsageTally } from '../usage/usage-tally.ts';

const CHATS = 20;
const SECRET = 'sk-hot';

describeOnDatabase('a chat of a key without limits, or a response that is not stored,', (database) => {
  it('makes no query; its usage is stored in a batch with others', async () => {
    const { pool } = database();
    await changeRecords(pool, async ({ stacks, keys }) => {
      await stacks.save({ ...storedStack, textEngines: ['gpu'], models: ['tiny'] });
      await keys.save(storedKey);
      await keys.setSecret(storedKey, hashSecret(SECRET));
    });
    const clock = new HeldClock();
    const observer = { tokensUsed: () => {}, batchFailed: () => {} };
    const tally = new UsageTally({ clock, observer });
    const ledger = new SqlUsage(pool);
    const log = createLog('silent', new PassThrough());
    const flusher = new UsageFlusher({ tally, ledger, clock: new HeldTimers(), log, observer });
    const stored = { pool, blobs: new MemoryBlobStore(), retentionDays: 30 };
    await using gateway = await HttpGateway.start({
      directory: new SqlCallerDirectory(pool, parseTestConfig('')),
      engines: [['gpu', new FakeTextEngine()]],
      responses: {
        store: new SqlResponses(stored),
        conversations: new SqlConversations(stored),
        queue: new SqlResponseQueue(stored),
      },
      recorder: tally,
      clock,
    });
    const post = async (path: string, body: string) => {
      const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' };
      const answer = await fetch(gateway.url + path, { method: 'POST', headers, body });
      await answer.text();
      return answer.status;
    };
    const chat = () =>
      post('/v1/chat/completions', '{"model": "tiny", "messages": [{"role": "user", "content": "Hello"}]}');
    const response = () =>
      post('/v1/responses', '{"model": "tiny", "input": "Hello", "store": false, "stream": true}');
    expect(await chat()).toBe(200);
    const query = vi.spyOn(pool, 'query');
    const connect = vi.spyOn(pool, 'connect');
    for (let index = 0; index < CHATS; index++) expect(await chat()).toBe(200);
    expect(await response()).toBe(200);
    expect([query.mock.calls.length, connect.mock.calls.length]).toEqual([0, 0]);
    await flusher.flush();
    expect(query).toHaveBeenCalledTimes(1);
    vi.restoreAllMocks();
    const days = { since: '2000-01-01', until: '2999-12-31' };
    expect(await ledger.read({ by: ['key', 'model'], ...days, limit: 10 })).toMatchObject([
      { key: 'web', model: 'tiny', requests: CHATS + 2, promptTokens: 10 * (CHATS + 2) },
    ]);
  });
});
