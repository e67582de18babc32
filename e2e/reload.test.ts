import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { WorkFolder } from './work-folder.ts';

const CLIENTS = 4;
const steadyKey = 'sk-steady-0123456789abcdef';
const key = (name: string): string => `sk-${name}-0123456789abcdef`;

interface Variation {
  readonly keys?: Readonly<Record<string, string>>;
  readonly models?: readonly string[];
  readonly perMinute?: number;
  readonly port?: number;
  readonly engineKey?: string;
}

function configText(variation: Variation): string {
  const { keys = {}, models = ['one'], perMinute = 1_000, port = 0, engineKey = 'first' } = variation;
  const lines = Object.entries(keys).map(([id, secret]) => `      - { id: ${id}, secret: ${secret} }`);
  return `
server: { port: ${port} }
engines: { text: { gpu: { kind: openai, base_url: http://127.0.0.1:9/v1, model: m, context_window: 9000, api_key: ${engineKey} } } }
plans: { go: { requests_per_minute: ${perMinute} } }
stacks:
  - id: steady
    account: acme
    keys: [{ id: steady, secret: ${steadyKey} }]
  - id: shop
    account: acme
    plan: go
    models: [${models.join(', ')}]
    keys:
      - { id: first, secret: ${key('first')} }
${lines.join('\n')}
`;
}

/** Clients that send requests all the time, over keep-alive connections. */
class SteadyTraffic {
  readonly statuses = new Map<number | string, number>();
  readonly #gateway: GatewayProcess;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  readonly #clients: readonly Promise<void>[];
  #over = false;

  constructor(gateway: GatewayProcess) {
    this.#gateway = gateway;
    this.#clients = Array.from({ length: CLIENTS }, () => this.#askOn());
  }

  async end(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#clients);
    this.#agent.destroy();
  }

  async #askOn(): Promise<void> {
    while (!this.#over) {
      const outcome = await this.#gateway.request('/v1/models', { key: steadyKey, agent: this.#agent }).then(
        ({ status }) => status,
        (error: unknown) => String(error),
      );
      this.statuses.set(outcome, (this.statuses.get(outcome) ?? 0) + 1);
    }
  }
}

describe('SIGHUP', () => {
  let folder: WorkFolder;
  let gateway: GatewayProcess;
  let traffic: SteadyTraffic;
  let reloads = 0;
  let refusals = 0;

  beforeAll(async () => {
    folder = await WorkFolder.withDatabase();
    folder.configure(configText({ keys: { web: key('web') } }));
    // The port comes from the file here; a quiet log, because of the traffic.
    gateway = await startGateway(folder, { STACKGATE_PORT: '', STACKGATE_LOG_LEVEL: 'info' });
    traffic = new SteadyTraffic(gateway);
  });
  afterAll(async () => {
    await traffic?.end();
    await gateway?.[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  async function reload(variation: Variation): Promise<unknown> {
    folder.configure(configText(variation));
    gateway.signal('SIGHUP');
    reloads += 1;
    return (await gateway.logged('configuration read anew', reloads)).at(-1)?.needRestart;
  }

  it('takes a new key in and a removed one out', async () => {
    expect(await gateway.statusFor(key('web'))).toBe(200);
    expect(await gateway.statusFor(key('added'))).toBe(401);
    expect(await reload({ keys: { added: key('added') } })).toEqual([]);
    expect(await gateway.statusFor(key('added'))).toBe(200);
    expect(await gateway.statusFor(key('web'))).toBe(401);
  });

  it('changes the secret of a key', async () => {
    await reload({ keys: { added: key('changed') } });
    expect(await gateway.statusFor(key('changed'))).toBe(200);
    expect(await gateway.statusFor(key('added'))).toBe(401);
  });

  it("changes a stack's models", async () => {
    expect(await gateway.modelsFor(key('first'))).toEqual(['one']);
    await reload({ models: ['two', 'three'] });
    expect(await gateway.modelsFor(key('first'))).toEqual(['two', 'three']);
  });

  it("changes a plan's limit", async () => {
    await reload({ perMinute: 1 });
    expect(await gateway.statusFor(key('first'))).toBe(429);
    await reload({});
    expect(await gateway.statusFor(key('first'))).toBe(200);
  });

  it('refuses a bad file, says why, and keeps the old one', async () => {
    folder.configure('stacks:\n  - id: shop\n    accuont: acme\n');
    gateway.signal('SIGHUP');
    refusals += 1;
    const [line] = await gateway.logged('the configuration was refused; the old one stays', refusals);
    expect(JSON.stringify(line)).toContain('stackgate.yaml:3: stacks[0].accuont');
    expect(await gateway.statusFor(key('first'))).toBe(200);
    expect(await gateway.statusFor(steadyKey)).toBe(200);
  });

  it('names the sections that need a restart, each time until there was one', async () => {
    expect(await reload({ port: 1 })).toEqual(['server']);
    expect(await reload({ port: 1 })).toEqual(['server']);
    // Keys of model servers take effect at once.
    expect(await reload({ engineKey: 'second' })).toEqual([]);
    expect(await reload({})).toEqual([]);
    expect(await gateway.statusFor(key('first'))).toBe(200);
  });

  it('failed no request, and showed no secret', async () => {
    await traffic.end();
    expect([...traffic.statuses.keys()]).toEqual([200]);
    expect(traffic.statuses.get(200)).toBeGreaterThan(50);
    expect(gateway.stdout).not.toContain('0123456789abcdef');
    expect(gateway.stderr).toBe('');
  });
});
