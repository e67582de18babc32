import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { Authenticator } from '../access/authenticator.ts';
import type { CallerDirectory } from '../access/caller-directory.ts';
import type { Operator } from '../access/operator.ts';
import { makePlaygroundKey } from '../admin/playground-key.ts';
import type { Config } from '../config/config.ts';
import { isConsoleOn } from '../config/is-console-on.ts';
import { Captures } from '../http/captures.ts';
import type { CaptureAction } from '../http/console/capture-routes.ts';
import { ConsoleFiles } from '../http/console/console-files.ts';
import { type ConsoleParts, consoleRoutes } from '../http/console/console-routes.ts';
import { PlaygroundCallers } from '../http/console/playground-callers.ts';
import { SessionDoor } from '../http/console/session-door.ts';
import type { LinkOrigin } from '../http/link-origin.ts';
import type { Route } from '../http/route.ts';
import { systemClock } from '../lib/clock.ts';
import { wallClock } from '../lib/wall-clock.ts';
import { LogInThrottle } from '../people/log-in-throttle.ts';
import { LogIns } from '../people/log-ins.ts';
import { OidcClient } from '../people/oidc/oidc-client.ts';
import { PasswordHasher } from '../people/password-hasher.ts';
import { Sessions } from '../people/sessions.ts';
import { recordAudit } from '../store/audit-trail.ts';
import { orDatabaseAway } from '../store/database-errors.ts';
import { recordLogIn } from '../store/log-in-audit.ts';
import { readRecords } from '../store/records.ts';
import { SessionSweeper } from '../store/session-sweeper.ts';
import { SqlPeople } from '../store/sql-people.ts';
import { SqlSessions } from '../store/sql-sessions.ts';
import { SweepSchedule } from '../store/sweep-schedule.ts';
import type { Log } from '../telemetry/log.ts';
import type { GatewayModule } from './gateway-module.ts';

/** Beside the compiled code. */
const FILES = fileURLToPath(new URL('../console', import.meta.url));

export interface ConsoleModuleOptions extends Pick<ConsoleParts, 'reader' | 'pictures'> {
  readonly config: Config;
  readonly log: Log;
  readonly pool: pg.Pool;
  readonly directory: Pick<CallerDirectory, 'findKey'>;
  readonly authenticator: Authenticator;
  readonly origin: LinkOrigin;
}

/** The console: people, sessions, playground and captures. */
export class ConsoleModule implements GatewayModule {
  readonly captures = new Captures({ clock: wallClock, timers: systemClock });
  readonly playgroundCallers: PlaygroundCallers;
  readonly #options: ConsoleModuleOptions;
  readonly #door: SessionDoor;
  readonly #people: SqlPeople;
  readonly #sessions: Sessions;
  readonly #sweeps: SweepSchedule;

  constructor(options: ConsoleModuleOptions) {
    const { pool, log, directory, origin } = options;
    this.#options = options;
    this.#people = new SqlPeople(pool);
    this.#sessions = new Sessions({ store: new SqlSessions(pool), clock: wallClock });
    const sweeper = new SessionSweeper(pool, wallClock);
    this.#sweeps = new SweepSchedule({ what: 'sessions and links', sweeper, clock: systemClock, log });
    this.#door = new SessionDoor({ sessions: this.#sessions, origin });
    this.playgroundCallers = new PlaygroundCallers({
      door: this.#door,
      findKey: (stackId, keyId) => directory.findKey(stackId, keyId),
      makeKey: (stackId, operator) => orDatabaseAway(makePlaygroundKey({ pool, operator }, stackId)),
      hasStack: (stackId) => this.#hasStack(stackId),
    });
  }

  /** The routes of the console; none if it is off. */
  routes(routes: readonly Route[]): readonly Route[] {
    const { config, log, directory, pool } = this.#options;
    if (!isConsoleOn(config)) return [];
    const { oidc } = config.console;
    return consoleRoutes(routes, {
      ...this.#options,
      door: this.#door,
      people: this.#people,
      logIns: new LogIns({
        people: this.#people,
        sessions: this.#sessions,
        passwords: new PasswordHasher(),
        throttle: new LogInThrottle(wallClock),
        clock: wallClock,
        note: (note) => orDatabaseAway(recordLogIn(pool, note)),
      }),
      hasStack: (stackId) => this.#hasStack(stackId),
      oidc: oidc && new OidcClient(oidc),
      files: new ConsoleFiles(FILES),
      captures: this.captures,
      replica: `${hostname()}:${process.pid}`,
      hasKey: async (stackId, keyId) => (await directory.findKey(stackId, keyId)) !== undefined,
      audit: (operator, action) => this.#audit(operator, action),
      log,
    });
  }

  start(): void {
    this.#sweeps.start();
    const { config, log } = this.#options;
    const isReadable = isConsoleOn(config) && !isConsoleOn({ ...config, console: { enabled: 'auto' } });
    if (isReadable)
      log.warn({ setting: 'console.enabled' }, 'passwords travel readable: the console is on without https');
  }

  async stop(): Promise<void> {
    this.captures.stop();
    await this.#sweeps.stop();
  }

  async #hasStack(stackId: string): Promise<boolean> {
    const { stacks } = readRecords(this.#options.pool);
    return (await orDatabaseAway(stacks.find(stackId))) !== undefined;
  }

  async #audit(operator: Operator, { action, stackId, keyId, minutes }: CaptureAction): Promise<void> {
    const audited = {
      action,
      target: `${stackId}/${keyId}`,
      stackId,
      ...(minutes !== undefined && { after: { minutes } }),
    };
    await orDatabaseAway(recordAudit(this.#options.pool, operator, audited));
  }
}
