import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realPostgresAvailable } from '../testing/real-postgres/postgres-binaries.ts';
import { type RealPostgres, startRealPostgres } from '../testing/real-postgres/real-postgres.ts';
import { errorShapes } from './error-shapes.ts';
import { eventually } from './eventually.ts';
import { GatewayProcess, startGateway } from './gateway-process.ts';
import { runForJson } from './run-command.ts';
import { WorkFolder } from './work-folder.ts';

const NOTICED_MS = 30_000;

describe.runIf(realPostgresAvailable)('on PostgreSQL', () => {
  let server: RealPostgres;

  beforeAll(async () => {
    server = await startRealPostgres();
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });

  it('a gateway waits for its database, answers 503 while it is away later, and comes back by itself', async () => {
    using folder = WorkFolder.empty();
    const environment = { DATABASE_URL: await server.createDatabase() };
    await server.stop();
    await using gateway = new GatewayProcess(folder, environment);
    await eventually(
      'it says what it waits for',
      () => /^waiting for the database: .*127\.0\.0\.1:\d+/m.test(gateway.stdout) || undefined,
    );
    gateway.signal('SIGHUP');
    await server.start();
    await gateway.ready();
    await gateway.logged('configuration read anew');
    const { key } = gateway;
    expect(await gateway.statusFor(key)).toBe(200);

    await server.stop('immediate');
    await eventually(
      'it is not ready',
      async () => (await gateway.request('/readyz')).status === 503 || undefined,
    );
    const away = await eventually(
      'a known key is no longer taken on trust',
      async () => {
        const answer = await gateway.request('/v1/models', { key });
        return answer.status === 200 ? undefined : answer;
      },
      NOTICED_MS,
    );
    expect(away.status).toBe(503);
    expect(away.json()).toEqual(errorShapes.models);
    const message = await gateway.request('/v1/messages', { method: 'POST', key });
    expect([message.status, Number(message.headers['retry-after'])]).toEqual([503, expect.any(Number)]);
    expect(message.json()).toEqual(errorShapes.messages);
    expect(message.text).not.toMatch(/ECONN|postgres|127\.0\.0\.1/);
    expect((await gateway.request('/healthz')).status).toBe(200);

    await server.start();
    await eventually(
      'it is ready',
      async () => (await gateway.request('/readyz')).status === 200 || undefined,
    );
    expect(await gateway.statusFor(key)).toBe(200);
    expect(await gateway.stop()).toEqual({ code: 0, signal: null });
  });

  it('two replicas start at once on an empty database, and one refuses what is revoked beside the other', async () => {
    using here = WorkFolder.empty();
    using there = WorkFolder.empty();
    const environment = { DATABASE_URL: await server.createDatabase() };
    const [one, other] = await Promise.all([
      startGateway(here, environment),
      startGateway(there, environment),
    ]);
    await using _one = one;
    await using _other = other;
    const having = [one, other].filter(({ stdout }) => stdout.includes('Your API key is in '));
    expect(having).toHaveLength(1);
    const key = having[0]?.key ?? '';
    expect(await Promise.all([one.statusFor(key), other.statusFor(key)])).toEqual([200, 200]);

    await runForJson(one.command(['keys', 'revoke', 'default', 'default'], environment));
    await eventually(
      'both refuse the key',
      async () => {
        const statuses = await Promise.all([one.statusFor(key), other.statusFor(key)]);
        return statuses.every((status) => status === 401) || undefined;
      },
      NOTICED_MS,
    );
  });
});
