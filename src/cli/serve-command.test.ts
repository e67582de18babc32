import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type CliResult, runCli } from '../../testing/cli-run.ts';
import { parseTestConfig } from '../../testing/parse-test-config.ts';
import type { ConfigureOptions } from '../admin/configured-stacks.ts';
import { OperatorError } from '../admin/operator-error.ts';
import { ModelStore } from '../catalogue/model-store.ts';
import type { ServedGateway, ServeOptions } from './command-context.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;
const quiet = parseTestConfig('log: { level: silent }\nserver: { drain_delay_seconds: 0 }');
const other = parseTestConfig('log: { level: silent }\nserver: { port: 9000 }');
const onPostgres = parseTestConfig(
  'log: { level: silent }\nserver: { drain_delay_seconds: 0 }\ndatabase: { url: "postgres://127.0.0.1/x" }',
);
/** For tests that do not end the delay. */
const slow = parseTestConfig('log: { level: silent }\nserver: { drain_delay_seconds: 3600 }');

/** Records the calls to a gateway. */
class RecordingGateway implements ServedGateway {
  readonly calls: string[] = [];
  stopSignal: AbortSignal | undefined;
  setupToken: string | undefined;

  async configure(config: typeof quiet, { keepsSecrets }: ConfigureOptions) {
    this.calls.push(`configure ${config.server.port}`);
    const defaultKey = { path: '/data/default-key', secret: 'sk-first', isNew: true };
    const made = { secret: 'sk-web', ...(keepsSecrets && { path: '/data/keys/shop-web' }) };
    return { generated: [{ stackId: 'shop', id: 'web', ...made }], defaultKey };
  }

  async listen() {
    this.calls.push('listen');
    return 'http://127.0.0.1:8080';
  }

  async firstOperatorToken(): Promise<string | undefined> {
    return this.setupToken;
  }

  async modelReady(): Promise<string | undefined> {
    return undefined;
  }

  reloadCertificate() {}

  announceStop() {
    this.calls.push('announce');
  }

  async stop(signal: AbortSignal) {
    this.calls.push('stop');
    this.stopSignal = signal;
  }
}

let gateway: RecordingGateway;
let listeners: readonly number[];
beforeEach(() => {
  gateway = new RecordingGateway();
  listeners = signalListeners();
});
afterEach(() => {
  expect(signalListeners()).toEqual(listeners);
});

it('tells the address and the keys, and stops at SIGTERM', async () => {
  const serving = serve();
  await until(() => gateway.calls.includes('listen'));
  process.emit('SIGTERM');
  const { code, out } = await serving;
  expect(code).toBe(0);
  expect(out).toMatchInlineSnapshot(`
    "Key "web" of stack "shop", shown this once: sk-web
    Stackgate is listening on http://127.0.0.1:8080
    Your API key: sk-first
    (kept in /data/default-key; the file may be deleted)
    Try it:
      curl http://127.0.0.1:8080/v1/models -H "Authorization: Bearer sk-first"
    All endpoints: http://127.0.0.1:8080/docs
    "
  `);
  expect(gateway.calls).toEqual(['configure 8080', 'listen', 'stop']);
  expect(gateway.stopSignal?.aborted).toBe(false);
});

it('tells where keys are kept, and no secret but the link to the console, on what is no terminal', async () => {
  gateway.setupToken = 'TOKEN';
  gateway.modelReady = async () => 'tiny';
  const serving = serve({ isTerminal: false });
  await until(() => gateway.calls.includes('listen'));
  process.emit('SIGTERM');
  const { out } = await serving;
  expect(out).toMatchInlineSnapshot(`
    "Key "web" of stack "shop" is in /data/keys/shop-web; the file may be deleted
    Stackgate is listening on http://127.0.0.1:8080
    Your API key is in /data/default-key. Try it:
      curl http://127.0.0.1:8080/v1/models -H "Authorization: Bearer $(cat /data/default-key)"
    Set up the console, within 30 minutes: http://127.0.0.1:8080/console/#setup=TOKEN
    All endpoints: http://127.0.0.1:8080/docs
    The model tiny is ready. Ask it:
      curl http://127.0.0.1:8080/v1/chat/completions -H "Authorization: Bearer $(cat /data/default-key)" -H "Content-Type: application/json" -d '{"model":"tiny","messages":[{"role":"user","content":"What is the capital of France?"}]}'
    "
  `);
  expect(out).not.toContain('sk-');
});

it('tells how to ask the embedded model, once it can be asked', async () => {
  gateway.modelReady = async () => "it's-small";
  const serving = serve();
  await until(() => gateway.calls.includes('listen'));
  process.emit('SIGTERM');
  const { out } = await serving;
  expect(out.slice(out.indexOf('The model'))).toMatchInlineSnapshot(`
    "The model it's-small is ready. Ask it:
      curl http://127.0.0.1:8080/v1/chat/completions -H "Authorization: Bearer sk-first" -H "Content-Type: application/json" -d '{"model":"it'\\''s-small","messages":[{"role":"user","content":"What is the capital of France?"}]}'
    "
  `);
});

it('says nothing of an embedded model that does not come', async () => {
  gateway.modelReady = () => Promise.reject(new Error('it was stopped'));
  const serving = serve();
  await until(() => gateway.calls.includes('listen'));
  process.emit('SIGTERM');
  const { code, out } = await serving;
  expect([code, out]).toEqual([0, expect.not.stringContaining('The model')]);
});

it('aborts running requests at the second signal', async () => {
  let hurried: Promise<unknown> = Promise.resolve();
  gateway.stop = async (signal) => {
    hurried = once(signal, 'abort');
    process.emit('SIGINT');
    await hurried;
  };
  const serving = serve();
  await until(() => gateway.calls.includes('listen'));
  process.emit('SIGTERM');
  expect((await serving).code).toBe(0);
});

it.each(['SIGTERM', 'SIGINT'] as const)(
  'serves on after SIGTERM, until the delay or %s ends it, and then drains',
  async (second) => {
    const serving = serve({ loadConfig: async () => slow });
    await until(() => gateway.calls.includes('listen'));
    process.emit('SIGTERM');
    await until(() => gateway.calls.includes('announce'));
    expect(gateway.calls).not.toContain('stop');
    process.emit(second);
    expect((await serving).code).toBe(0);
    expect(gateway.calls.slice(2)).toEqual(['announce', 'stop']);
    // Running requests still have time; only another signal ends it.
    expect(gateway.stopSignal?.aborted).toBe(false);
  },
);

it('serves on after SIGTERM for as long as it is told', async () => {
  const brief = parseTestConfig('log: { level: silent }\nserver: { drain_delay_seconds: 1 }');
  const serving = serve({ loadConfig: async () => brief });
  await until(() => gateway.calls.includes('listen'));
  process.emit('SIGTERM');
  expect((await serving).code).toBe(0);
  expect(gateway.calls.slice(2)).toEqual(['announce', 'stop']);
});

it('does not wait after SIGINT', async () => {
  const serving = serve({ loadConfig: async () => slow });
  await until(() => gateway.calls.includes('listen'));
  process.emit('SIGINT');
  expect((await serving).code).toBe(0);
  expect(gateway.calls.slice(2)).toEqual(['stop']);
});

it('aborts running requests at a signal after the delay', async () => {
  gateway.stop = async (signal) => {
    const hurried = once(signal, 'abort');
    process.emit('SIGTERM');
    await hurried;
  };
  const serving = serve({ loadConfig: async () => slow });
  await until(() => gateway.calls.includes('listen'));
  process.emit('SIGTERM');
  await until(() => gateway.calls.includes('announce'));
  process.emit('SIGTERM');
  expect((await serving).code).toBe(0);
});

it('reads the configuration anew at SIGHUP, and keeps the old one when that is bad', async () => {
  const configs = [async () => quiet, async () => Promise.reject(new Error('bad')), async () => other];
  const serving = serve({ loadConfig: () => (configs.shift() ?? (async () => quiet))() });
  await until(() => gateway.calls.includes('listen'));
  process.emit('SIGHUP');
  process.emit('SIGHUP');
  await until(() => gateway.calls.includes('configure 9000'));
  process.emit('SIGTERM');
  const { code, out } = await serving;
  expect(code).toBe(0);
  expect(out.split('\n').at(-2)).toBe('Key "web" of stack "shop", shown this once: sk-web');
  expect(gateway.calls).toEqual(['configure 8080', 'listen', 'configure 9000', 'stop']);
});

it('closes everything when it cannot listen', async () => {
  gateway.listen = () => Promise.reject(new Error('listen EADDRINUSE: address already in use'));
  expect(await serve()).toEqual({
    code: 1,
    out: 'Key "web" of stack "shop", shown this once: sk-web\n',
    err: 'stackgate: listen EADDRINUSE: address already in use\n',
  });
  expect(gateway.calls).toEqual(['configure 8080', 'stop']);
});

it('closes everything when the declared stacks are refused', async () => {
  gateway.configure = () => Promise.reject(new OperatorError('no'));
  expect((await serve()).code).toBe(3);
  expect(gateway.calls).toEqual(['stop']);
});

it('exits quietly if it is stopped while waiting for the database', async () => {
  const openGateway = async ({ signal, announce }: ServeOptions): Promise<ServedGateway> => {
    announce('waiting for the database');
    const aborted = once(signal, 'abort');
    process.emit('SIGTERM');
    await aborted;
    throw new Error('the database cannot be reached');
  };
  expect(await serve({ openGateway })).toEqual({ code: 0, out: 'waiting for the database\n', err: '' });
});

it.each(['configure', 'firstOperatorToken'] as const)(
  'waits for a database that goes away before %s, and exits quietly if it is stopped meanwhile',
  async (step) => {
    const away = (): Promise<never> => Promise.reject(new Error('Connection terminated unexpectedly'));
    gateway[step] = away;
    const loadConfig = async () => onPostgres;
    const onOutput = (text: string) => {
      if (text.startsWith('waiting')) process.emit('SIGTERM');
    };
    expect(await serve({ loadConfig, isTerminal: false, onOutput })).toMatchObject({
      code: 0,
      out: expect.stringContaining('waiting for the database: Connection terminated unexpectedly\n'),
    });
  },
);

function serve(parts: Parameters<typeof runCli>[1] = {}): Promise<CliResult> {
  const openModels = () => new ModelStore({ dataDir: '/nowhere', environment: {} });
  return runCli(['serve'], {
    isTerminal: true,
    loadConfig: async () => quiet,
    openGateway: async () => gateway,
    openModels,
    ...parts,
  });
}

async function until(condition: () => boolean): Promise<void> {
  await expect.poll(condition, { interval: 5 }).toBe(true);
  await setImmediate();
}

function signalListeners(): readonly number[] {
  return SIGNALS.map((signal) => process.listenerCount(signal));
}
