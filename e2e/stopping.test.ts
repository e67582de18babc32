import { Agent } from 'node:http';
import { describe, expect, it } from 'vitest';
import { engineEndpoints, errorShapes } from './error-shapes.ts';
import { eventually } from './eventually.ts';
import { GatewayProcess, startGateway } from './gateway-process.ts';
import { jsonHead, RawClient } from './raw-client.ts';
import { WorkFolder } from './work-folder.ts';

/** Far below the 30 s that a gateway gives its clients, far above the duration of a stop on a busy machine. */
const AT_ONCE_MS = 15_000;
const noDelay = 'server: { drain_delay_seconds: 0 }\n';
const cleanExit = { code: 0, signal: null };
const path = '/v1/chat/completions';
const body = JSON.stringify({
  model: 'smollm2-135m-instruct',
  messages: [{ role: 'user', content: 'Hello' }],
});

describe.each(['SIGTERM', 'SIGINT'] as const)('%s', (signal) => {
  it('lets a request in flight end, refuses new ones in their shape, and exits with 0', async () => {
    using folder = await WorkFolder.withDatabase();
    folder.configure(noDelay);
    await using gateway = await startGateway(folder);
    const { key } = gateway;
    using slow = await halfRequest(gateway);
    gateway.signal(signal);
    await drainingBegan(gateway);

    for (const { path, contentType, body, refusal } of engineEndpoints) {
      const headers = { 'content-type': contentType };
      const answer = await gateway.request(path, { method: 'POST', key, headers, body });
      expect(answer.status).toBe(503);
      expect(answer.headers.connection).toBe('close');
      expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(answer.json()).toEqual(refusal);
      expect(answer.text).toContain('shutting down');
    }
    const models = await gateway.request('/v1/models', { key });
    expect(models.status).toBe(503);
    expect(models.json()).toEqual(errorShapes.models);
    expect((await gateway.request('/healthz')).status).toBe(200);

    await slow.sent(body.slice(5));
    // The route's own answer: the request was served, not refused.
    expect(await slow.receives(/\}$/)).toContain('model_not_ready');
    expect(await gateway.exited).toEqual(cleanExit);
    expect(gateway.stderr).toBe('');
    expect(gateway.log.map((line) => line.message)).toEqual(expect.arrayContaining(['draining', 'stopped']));
  });
});

describe('a stop', () => {
  it('comes at once when there is no work, though clients keep their connections', async () => {
    using folder = await WorkFolder.withDatabase();
    await using gateway = await startGateway(folder);
    const agent = new Agent({ keepAlive: true });
    await gateway.request('/v1/models', { key: gateway.key, agent });
    using _silent = await RawClient.open(gateway.url);
    const startMs = performance.now();
    expect(await gateway.stop()).toEqual(cleanExit);
    expect(performance.now() - startMs).toBeLessThan(AT_ONCE_MS);
    agent.destroy();
  });

  it('is hurried by a second signal, which cuts a stuck client', async () => {
    using folder = await WorkFolder.withDatabase();
    folder.configure(noDelay);
    await using gateway = await startGateway(folder);
    using stuck = await halfRequest(gateway);
    gateway.signal('SIGTERM');
    await drainingBegan(gateway);
    expect(gateway.hasExited).toBe(false);
    const startMs = performance.now();
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toEqual(cleanExit);
    expect(performance.now() - startMs).toBeLessThan(AT_ONCE_MS);
    await stuck.closed();
    await using next = await startGateway(folder);
    expect(await next.statusFor(next.key)).toBe(200);
  });

  it('comes at once while a start waits for PostgreSQL', async () => {
    using folder = WorkFolder.empty();
    // Nothing listens on port 1.
    const environment = { DATABASE_URL: 'postgres://user:hidden-word@127.0.0.1:1/none' };
    await using gateway = new GatewayProcess(folder, environment);
    await eventually(
      'it says that it waits',
      () => /waiting for the database/.test(gateway.stdout) || undefined,
    );
    const startMs = performance.now();
    expect(await gateway.stop()).toEqual(cleanExit);
    expect(performance.now() - startMs).toBeLessThan(AT_ONCE_MS);
    expect(gateway.stdout + gateway.stderr).not.toContain('hidden-word');
  });
});

describe('SIGTERM with a delay', () => {
  it('turns /readyz at once, still serves new requests, and stops at a second signal', async () => {
    using folder = await WorkFolder.withDatabase();
    folder.configure('server: { drain_delay_seconds: 600 }\n');
    await using gateway = await startGateway(folder);
    gateway.signal('SIGTERM');
    await drainingBegan(gateway);
    const { key } = gateway;
    const models = await gateway.request('/v1/models', { key });
    expect([models.status, models.headers.connection]).toEqual([200, 'close']);
    // Its head arrives during the delay, its body after it.
    using late = await RawClient.open(gateway.url);
    await late.sent(jsonHead(path, { key, length: body.length }) + body.slice(0, 5));
    // Answered after what was sent before it on another connection.
    expect((await gateway.request('/healthz')).status).toBe(200);
    gateway.signal('SIGTERM');
    await gateway.logged('draining');
    expect((await gateway.request('/v1/models', { key })).status).toBe(503);
    await late.sent(body.slice(5));
    expect(await late.receives(/\}$/)).toContain('model_not_ready');
    expect(await gateway.exited).toEqual(cleanExit);
  });
});

describe('a log without a reader', () => {
  const dropped = async (gateway: GatewayProcess) => {
    const { text } = await gateway.request('/metrics');
    return Number(/^stackgate_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
  };

  it('stops no request, tells what is missing to who reads again, and holds up no end', async () => {
    using folder = await WorkFolder.withDatabase();
    // The longest line that a client can cause.
    folder.configure('server: { trust_proxy: true, drain_delay_seconds: 0 }\n');
    const headers = { 'x-forwarded-for': 'x'.repeat(12_000) };
    await using gateway = await startGateway(folder);
    gateway.stopReading();
    await eventually('lines are dropped', async () => {
      for (let index = 0; index < 50; index++) {
        expect((await gateway.request('/healthz', { headers })).status).toBe(200);
      }
      return (await dropped(gateway)) > 0 || undefined;
    });
    gateway.readOn();
    const [line] = await gateway.logged('log lines are missing here: the reader was too slow');
    expect(line?.lines).toBe(await dropped(gateway));

    await gateway.request('/healthz');
    gateway.leaveOutput();
    gateway.signal('SIGTERM');
    expect(await gateway.exited).toEqual(cleanExit);
  });
});

/** A request being served, with the rest of its body still to come. */
async function halfRequest(gateway: GatewayProcess): Promise<RawClient> {
  const client = await RawClient.open(gateway.url);
  await client.sent(jsonHead(path, { key: gateway.key, length: body.length }) + body.slice(0, 5));
  await eventually('the request is in flight', async () => (await gateway.inFlight()) === 2 || undefined);
  return client;
}

async function drainingBegan(gateway: GatewayProcess): Promise<void> {
  await eventually('it is not ready any more', async () => {
    const answer = await gateway.request('/readyz');
    return (answer.status === 503 && answer.headers['retry-after'] !== undefined) || undefined;
  });
}
