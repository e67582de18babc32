import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { copyClusterTemplate } from '../../testing/cluster-template.ts';
import { newerNode } from '../newer-node/newer-node.ts';
import { type RunningServer, startServer } from '../packaging/start-server.ts';
import { TemporaryFolder } from '../packaging/temporary-folder.ts';
import { type InstalledClients, installClients } from './install-clients.ts';

const run = promisify(execFile);
const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const clientBoundMs = 60_000;
const key = 'a-key-for-real-clients';
const requestId = expect.stringMatching(/^req_/);

const configuration = `
stacks:
  - id: shop
    account: acme
    models: [org/model-x, other]
    keys: [{ id: web, secret: ${key} }]
`;

interface ClientRow {
  readonly alias: string;
  readonly script: string;
  readonly credential: 'apiKey' | 'authToken';
}

const openaiRows = ['openai-4', 'openai-5', 'openai-6', 'openai-7'].map(
  (alias): ClientRow => ({ alias, script: 'openai-models.mjs', credential: 'apiKey' }),
);
const anthropicRows = ['anthropic-0.27', 'anthropic-0.137', 'anthropic-1'].flatMap((alias) =>
  (['apiKey', 'authToken'] as const).map(
    (credential): ClientRow => ({ alias, script: 'anthropic-models.mjs', credential }),
  ),
);

describe('clients', async () => {
  const clients = await installClients();
  if (clients === undefined) {
    it.skip('are not to be had on this machine');
    return;
  }
  const folder = new TemporaryFolder();
  let server: RunningServer;

  beforeAll(async () => {
    writeFileSync(folder.at('stackgate.yaml'), configuration);
    await copyClusterTemplate(folder.at('data'));
    server = await startServer({ command: [process.execPath, program, 'serve'], cwd: folder.path });
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  describe.each([...openaiRows, ...anthropicRows])('$alias by $credential', async (row) => {
    const node = await nodeFor(clients, row.alias);
    if (node === undefined) {
      it.skip('needs a newer Node than is to be had on this machine');
      return;
    }
    let report: unknown;

    beforeAll(async () => {
      report = await runClient({ node, clients, row, url: server.url });
    });

    it('lists all models', () => {
      expect(report).toHaveProperty('list', { ids: ['org/model-x', 'other'] });
    });

    it('retrieves a model and knows the id of the request', () => {
      expect(report).toHaveProperty('plain', expect.objectContaining({ id: 'other', requestId }));
    });

    it('retrieves a model with a slash in its name', () => {
      expect(report).toHaveProperty('slashed', expect.objectContaining({ id: 'org/model-x', requestId }));
    });

    it('says what is wrong with an unknown model', () => {
      const message = expect.stringContaining('not the model asked for');
      expect(report).toHaveProperty('unknown', { error: 'NotFoundError', message, requestId });
    });

    it('takes a wrong key for one', () => {
      const message = expect.stringMatching(/key/i);
      expect(report).toHaveProperty('wrongKey', { error: 'AuthenticationError', message, requestId });
    });
  });
});

/** The tests' own Node where the client runs on it, else a newer one. */
async function nodeFor(clients: InstalledClients, alias: string): Promise<string | undefined> {
  const running = Number(process.versions.node.split('.')[0]);
  return running >= clients.requiredNodeMajor(alias) ? process.execPath : await newerNode();
}

interface ClientRun {
  readonly node: string;
  readonly clients: InstalledClients;
  readonly row: ClientRow;
  readonly url: string;
}

async function runClient({ node, clients, row, url }: ClientRun): Promise<unknown> {
  const script = fileURLToPath(new URL(row.script, import.meta.url));
  const task = {
    folder: clients.folder,
    alias: row.alias,
    credential: row.credential,
    url,
    key,
    wrongKey: 'sk-this-is-not-one',
    plainModel: 'other',
    slashedModel: 'org/model-x',
  };
  // No environment: keys, addresses and proxies in it would be taken by the clients.
  const options = { env: {}, timeout: clientBoundMs };
  const { stdout } = await run(node, [script, JSON.stringify(task)], options);
  return JSON.parse(stdout);
}
