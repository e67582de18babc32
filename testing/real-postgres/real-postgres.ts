import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEmptyDatabase } from './empty-database.ts';
import { KeeperLink } from './keeper-link.ts';
import { type PreparedPostgres, preparePostgres } from './prepared-postgres.ts';
import { giveTree, postgresEnvironment, serverUser, sharedTemporaryFolder } from './server-user.ts';

// Below the ephemeral ports (Linux: 32768 and up): a client that retries a stopped server there would eventually connect to
// itself and hold the port.
const lowestPort = 20_000;
const highestPort = 32_000;
const portAttempts = 20;

/** Overrides of the settings below, for instance `{ fsync: 'on' }`. */
export type PostgresSettings = Readonly<Record<string, string>>;

const quickSettings: PostgresSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  shared_buffers: '16MB',
  max_connections: '200',
  io_method: 'sync',
  jit: 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // Kept in the data folder, so that nothing stays in /dev/shm after a kill.
  dynamic_shared_memory_type: 'mmap',
  log_timezone: 'UTC',
  timezone: 'UTC',
};

/** A PostgreSQL server of the test's own; it ends with the process that started it, or when disposed. */
export interface RealPostgres extends AsyncDisposable {
  /** Superuser, database `postgres`. */
  readonly url: string;
  /** Undefined while it is stopped. */
  readonly pid: number | undefined;
  /** The address of a new, empty database. */
  createDatabase(): Promise<string>;
  /** `fast` shuts down in order, `immediate` is a crash; the data stays for the next start. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again on the same port with the same data. */
  start(): Promise<void>;
}

/** Starts a PostgreSQL on a free port of 127.0.0.1, with its data in a new temporary folder. */
export async function startRealPostgres(settings: PostgresSettings = {}): Promise<RealPostgres> {
  const prepared = await preparePostgres();
  const keeper = forkKeeper(prepared);
  try {
    copyTemplate(prepared, await keeper.openFolder());
    const command = await startOnFreePort(keeper, { ...quickSettings, ...settings });
    return new KeptPostgres(keeper, command, prepared.password);
  } catch (error) {
    await keeper.end();
    throw error;
  }
}

interface StartCommand {
  readonly port: number;
  readonly serverArguments: readonly string[];
}

class KeptPostgres implements RealPostgres {
  readonly url: string;
  readonly #keeper: KeeperLink;
  readonly #command: StartCommand;

  constructor(keeper: KeeperLink, command: StartCommand, password: string) {
    this.#keeper = keeper;
    this.#command = command;
    this.url = `postgres://postgres:${password}@127.0.0.1:${command.port}/postgres`;
  }

  get pid(): number | undefined {
    return this.#keeper.serverPid;
  }

  createDatabase(): Promise<string> {
    return createEmptyDatabase(this.url);
  }

  stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    return this.#keeper.stopServer(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
  }

  async start(): Promise<void> {
    if (this.pid !== undefined) return;
    const result = await this.#keeper.startServer(this.#command.serverArguments);
    if (result.state === 'stopped') throw new Error(`PostgreSQL did not start again: ${result.log}`);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#keeper.end();
  }
}

function copyTemplate(prepared: PreparedPostgres, folder: string): void {
  const data = join(folder, 'data');
  cpSync(prepared.template, data, { recursive: true });
  chmodSync(data, 0o700);
  giveTree(data, serverUser());
}

function forkKeeper(prepared: PreparedPostgres): KeeperLink {
  const assignment = {
    program: join(prepared.binaries, 'bin', 'postgres'),
    parent: sharedTemporaryFolder(),
    user: serverUser(),
    environment: postgresEnvironment,
  };
  const script = fileURLToPath(new URL('./postgres-keeper.mjs', import.meta.url));
  // Its own process group: what kills the test run's group must not kill the keeper before it has cleaned up.
  const keeper = fork(script, [JSON.stringify(assignment)], {
    detached: true,
    execArgv: [],
    env: {},
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return new KeeperLink(keeper);
}

async function startOnFreePort(keeper: KeeperLink, settings: PostgresSettings): Promise<StartCommand> {
  for (let attempt = 1; ; attempt += 1) {
    const port = randomInt(lowestPort, highestPort);
    const serverArguments = argumentsFor(port, settings);
    const result = await keeper.startServer(serverArguments);
    if (result.state === 'ready') return { port, serverArguments };
    const isTaken = result.log.includes('Address already in use');
    if (!isTaken || attempt === portAttempts) throw new Error(`PostgreSQL did not start: ${result.log}`);
  }
}

function argumentsFor(port: number, settings: PostgresSettings): readonly string[] {
  const pairs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', 'data', '-p', String(port), ...pairs];
}
