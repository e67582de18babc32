import type { Authenticator } from '../../src/access/authenticator.ts';
import type { CallerDirectory } from '../../src/access/caller-directory.ts';
import type { Operator } from '../../src/access/operator.ts';
import { Captures } from '../../src/http/captures.ts';
import type { CaptureAction } from '../../src/http/console/capture-routes.ts';
import { ConsoleFiles } from '../../src/http/console/console-files.ts';
import { type ConsoleParts, consoleRoutes } from '../../src/http/console/console-routes.ts';
import { PlaygroundCallers } from '../../src/http/console/playground-callers.ts';
import { SessionDoor } from '../../src/http/console/session-door.ts';
import type { LinkOrigin } from '../../src/http/link-origin.ts';
import type { Route } from '../../src/http/route.ts';
import type { OidcClient } from '../../src/people/oidc/oidc-client.ts';
import { HeldClock as HeldTimers } from '../bad-child/clocks.ts';
import { LogInWorld } from './log-in-world.ts';

/** The console of a test. */
export interface TestConsole extends Partial<Pick<ConsoleParts, 'reader' | 'pictures'>> {
  readonly world: LogInWorld;
  readonly oidc?: OidcClient;
  /** The folder of its pages; by default there is none. */
  readonly folder?: string;
  /** Collects what is written to the audit, and may throw. */
  readonly audit?: (operator: Operator, action: CaptureAction) => Promise<void>;
  /** Stacks whose playground has no key yet get one by this. */
  readonly makeKey?: (stackId: string) => Promise<boolean>;
  /** By default there are none. */
  readonly hasStack?: (stackId: string) => Promise<boolean>;
}

interface Surroundings {
  readonly authenticator: Authenticator;
  readonly directory: CallerDirectory;
  readonly origin: LinkOrigin;
}

/** The parts of a console that the HTTP layer needs; without one, there are no routes. */
export function openTestConsole(console: TestConsole | undefined, surroundings: Surroundings) {
  const { authenticator, directory, origin } = surroundings;
  const world = console?.world ?? new LogInWorld();
  const { sessions, people, logIns, clock } = world;
  const findKey = (stackId: string, keyId: string) => directory.findKey(stackId, keyId);
  const door = new SessionDoor({ sessions, origin });
  const captures = new Captures({ clock, timers: new HeldTimers() });
  const playgroundCallers = new PlaygroundCallers({
    door,
    findKey,
    makeKey: console?.makeKey ?? (async () => false),
    hasStack: console?.hasStack ?? (async () => false),
  });
  const routes = (api: readonly Route[]): readonly Route[] =>
    console === undefined
      ? []
      : consoleRoutes(api, {
          door,
          logIns,
          people,
          authenticator,
          origin,
          captures,
          replica: 'test',
          oidc: console.oidc,
          files: new ConsoleFiles(console.folder ?? '/nowhere'),
          hasKey: async (stackId, keyId) => (await directory.findKey(stackId, keyId)) !== undefined,
          audit: console.audit ?? (async () => {}),
          reader: console.reader ?? { kindOf: () => undefined, showPdf: async () => [] },
          pictures: console.pictures ?? { preview: () => Promise.reject(new Error('there are no pictures')) },
          hasStack: console.hasStack ?? (async () => false),
          log: { warn: () => {} },
        });
  return { captures, playgroundCallers, routes };
}
