import type { DatabaseAway } from './database-away.ts';
import type { EmbeddedDatabaseLog } from './embedded-database-event.ts';
import { MessageFramer } from './message-framer.ts';
import type { SessionBackend } from './session-backend.ts';
import { type ClientChannel, SessionClient } from './session-client.ts';
import { runStatement } from './session-statement.ts';
import type { Unit } from './session-unit.ts';
import { commandTag, encodeQuery, fromServer, SYNC, typeOf } from './wire-messages.ts';

const IDLE = 'I'.charCodeAt(0);
const FORGET_SETTINGS = encodeQuery('RESET SESSION AUTHORIZATION; RESET ALL; CLOSE ALL');
const FORGET_ALL = Buffer.concat([SYNC, encodeQuery('ROLLBACK'), encodeQuery('DISCARD ALL')]);

/** Internal work, run between the turns of the connections. */
type Errand = () => Promise<void>;

/**
 * Shares the one session of the embedded database among many connections.
 *
 * A connection holds the session from its first message until the session is idle outside a transaction; then the
 * next one in the queue takes its turn. Session state is separated as follows: statement and portal names get a
 * prefix per connection; settings made with SET last until another connection's turn (SET LOCAL in a transaction is
 * always safe); temporary tables and SQL-level PREPARE are visible to all connections and last until any connection
 * ends. After DISCARD ALL and DEALLOCATE ALL, the statements of the other connections are prepared again at their
 * next turn. Advisory locks do not exclude connections from each other.
 */
export class SessionMultiplexer {
  readonly #backend: SessionBackend;
  readonly #log: EmbeddedDatabaseLog;
  readonly #clients = new Set<SessionClient>();
  /** Bounded by the number of connections: each is queued at most once. */
  readonly #queue = new Set<SessionClient>();
  readonly #errands: Errand[] = [];
  #nextId = 1;
  #lastClient: SessionClient | undefined;
  #turnClient: SessionClient | undefined;
  #wakeTurn: (() => void) | undefined;
  #isWorking = false;
  /** Incremented whenever all prepared statements of the session are dropped. */
  #generation = 0;

  constructor(backend: SessionBackend, log: EmbeddedDatabaseLog) {
    this.#backend = backend;
    this.#log = log;
  }

  /** Adds a connection, which may keep a transaction idle for `idleLimitMs`. */
  attach(channel: ClientChannel, idleLimitMs: number): SessionClient {
    const client: SessionClient = new SessionClient({
      id: this.#nextId++,
      channel,
      idleLimitMs,
      events: { greeting: () => this.#backend.greeting, changed: () => this.#noticeChange(client) },
    });
    client.generation = this.#generation;
    this.#clients.add(client);
    return client;
  }

  /** Runs a statement when the session is free; resolves to the first value of its answer. */
  run(sql: string, timeoutMs: number): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      this.#errands.push(async () => {
        try {
          if (this.#lastClient !== undefined) await this.#executeQuietly(FORGET_SETTINGS);
          this.#lastClient = undefined;
          resolve(await runStatement(this.#backend, { sql, timeoutMs }));
        } catch (error) {
          reject(error);
        }
      });
      this.#startWorking();
    });
  }

  /** Ends all connections after the session is lost. */
  cutAll(error: DatabaseAway): void {
    this.#lastClient = undefined;
    for (const client of this.#clients) {
      this.#forget(client);
      client.leave(error);
    }
  }

  #forget(client: SessionClient): void {
    this.#clients.delete(client);
    this.#queue.delete(client);
  }

  #noticeChange(client: SessionClient): void {
    if (client === this.#turnClient) {
      this.#wakeTurn?.();
      return;
    }
    if (!this.#clients.has(client)) return;
    this.#queue.add(client);
    this.#startWorking();
  }

  #startWorking(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    void this.#work();
  }

  async #work(): Promise<void> {
    for (;;) {
      const errand = this.#errands.shift();
      const [client] = this.#queue;
      if (errand !== undefined) await errand();
      else if (client !== undefined) await this.#takeTurn(client);
      else break;
    }
    this.#isWorking = false;
  }

  async #takeTurn(client: SessionClient): Promise<void> {
    this.#queue.delete(client);
    this.#turnClient = client;
    try {
      await this.#serve(client);
      if (client.isGone) await this.#cleanUpAfter(client);
    } catch (error) {
      this.#forget(client);
      client.leave(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#turnClient = undefined;
    }
    if (client.hasUnit) this.#queue.add(client);
  }

  async #serve(client: SessionClient): Promise<void> {
    if (!client.hasUnit) return;
    await this.#handOverTo(client);
    for (let isIdle = false; !isIdle; ) {
      const unit = client.takeUnit() ?? (await this.#waitForUnit(client));
      if (unit === undefined) return;
      if (unit.isEnd) {
        client.leave();
        return;
      }
      isIdle = await this.#executeUnit(client, unit);
    }
  }

  async #waitForUnit(client: SessionClient): Promise<Unit | undefined> {
    if (client.isGone) return undefined;
    const timer = setTimeout(() => {
      this.#log({ type: 'connection-cut', message: `a connection was idle in a transaction too long` });
      const message = `terminated: idle in a transaction for ${client.idleLimitMs} ms`;
      client.refuse({ severity: 'FATAL', sqlState: '25P03', message });
    }, client.idleLimitMs);
    await new Promise<void>((resolve) => {
      this.#wakeTurn = resolve;
    });
    clearTimeout(timer);
    return client.takeUnit();
  }

  async #handOverTo(client: SessionClient): Promise<void> {
    client.hasExecuted = true;
    if (this.#lastClient === client) return;
    if (this.#lastClient !== undefined) await this.#executeQuietly(FORGET_SETTINGS);
    this.#lastClient = client;
    client.isUnnamedLost = true;
    if (client.generation === this.#generation) return;
    client.generation = this.#generation;
    // A Sync after each, so that one that fails (its table is gone) does not discard the others.
    for (const message of client.statements.values()) {
      await this.#executeQuietly(Buffer.concat([message, SYNC]));
    }
  }

  /** Executes a unit; resolves to whether the session is idle afterwards. */
  async #executeUnit(client: SessionClient, unit: Unit): Promise<boolean> {
    if (unit.needsUnnamed && client.isUnnamedLost && client.unnamedStatement !== undefined) {
      await this.#executeQuietly(Buffer.concat([client.unnamedStatement, SYNC]));
    }
    client.isUnnamedLost = false;
    const framer = new MessageFramer('messages');
    const changes = [...unit.changes];
    let isIdle = false;
    const onData = (chunk: Buffer): void => {
      client.send(chunk);
      for (const { bytes } of framer.push(chunk)) {
        const type = typeOf(bytes);
        const isChange = type === fromServer.parseComplete || type === fromServer.closeComplete;
        const change = isChange ? changes.shift() : undefined;
        if (change !== undefined) client.applyChange(change);
        if (type === fromServer.commandComplete) this.#noticeCommand(client, commandTag(bytes));
        if (type === fromServer.ready) isIdle = bytes[5] === IDLE;
      }
    };
    await this.#backend.execute(unit.bytes, { onData });
    return isIdle;
  }

  #noticeCommand(client: SessionClient, tag: string): void {
    if (tag !== 'DISCARD ALL' && tag !== 'DEALLOCATE ALL') return;
    client.statements.clear();
    this.#generation++;
    client.generation = this.#generation;
  }

  async #cleanUpAfter(client: SessionClient): Promise<void> {
    if (!this.#clients.has(client)) return;
    this.#forget(client);
    if (!client.hasExecuted) return;
    await this.#executeQuietly(FORGET_ALL);
    this.#generation++;
    this.#lastClient = undefined;
  }

  async #executeQuietly(bytes: Buffer): Promise<void> {
    await this.#backend.execute(bytes, { onData: () => {} });
  }
}
