import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newerNode } from '../newer-node/newer-node.ts';
import { clientKey, reader } from './client-gateway.ts';
import type { InstalledClients } from './install-clients.ts';

const run = promisify(execFile);
const clientBoundMs = 60_000;

/** A client: its alias, and the script that uses it. */
export interface ClientRow {
  readonly alias: string;
  readonly script: string;
  readonly credential: 'apiKey' | 'authToken';
  /** Its name in the tests, if its alias does not say enough. */
  readonly name?: string;
  /** Further members of its task. */
  readonly more?: Readonly<Record<string, string>>;
}

/** The tests' own Node if the client supports it, else a newer one. */
export async function nodeFor(clients: InstalledClients, alias: string): Promise<string | undefined> {
  const running = Number(process.versions.node.split('.')[0]);
  return running >= clients.requiredNodeMajor(alias) ? process.execPath : await newerNode();
}

export interface ClientRun {
  readonly node: string;
  readonly clients: InstalledClients;
  readonly row: ClientRow;
  readonly url: string;
  /** Additional members of the task. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Runs a client's script in its own process and returns its report. */
export async function runClient({ node, clients, row, url, more }: ClientRun): Promise<unknown> {
  const script = fileURLToPath(new URL(row.script, import.meta.url));
  const task = {
    folder: clients.folder,
    alias: row.alias,
    credential: row.credential,
    url,
    key: clientKey,
    wrongKey: 'sk-this-is-not-one',
    plainModel: 'other',
    slashedModel: 'org/model-x',
    ...reader,
    ...more,
  };
  // No environment: clients would use keys, addresses and proxies in it.
  const options = { env: {}, timeout: clientBoundMs };
  const { stdout } = await run(node, [script, JSON.stringify(task)], options);
  return JSON.parse(stdout);
}
