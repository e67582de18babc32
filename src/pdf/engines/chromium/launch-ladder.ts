/** One way to start the browser. */
export interface Rung {
  /** What protects the system in it, for the log. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** The user that runs it; absent: the gateway's own. */
  readonly userId: number | undefined;
}

/** The user that owns nothing, on every Linux. */
export const NOBODY = 65_534;

const UNSHARE = '/usr/bin/unshare';
const OWN_NETWORK = ['--user', '--map-current-user', '--net', '--'];

/**
 * The ways to start the browser, the safest first: in a network namespace without any network, with its sandbox, as a user who owns nothing.
 * Containers often forbid the namespaces that the first ones need.
 */
export function launchLadder(executable: string, isRoot: boolean): readonly Rung[] {
  const userId = isRoot ? NOBODY : undefined;
  const unshared = { command: UNSHARE, args: [...OWN_NETWORK, executable], userId };
  const plain = { command: executable, args: [], userId };
  const unsandboxed = (rung: Omit<Rung, 'name'>) => ({ ...rung, args: [...rung.args, '--no-sandbox'] });
  const ladder: Rung[] = [
    { name: 'sandbox, own network namespace', ...unshared },
    { name: 'sandbox', ...plain },
    { name: 'no sandbox, own network namespace', ...unsandboxed(unshared) },
    { name: 'no sandbox', ...unsandboxed(plain) },
  ];
  if (isRoot) ladder.push({ name: 'no sandbox, as root', ...unsandboxed(plain), userId: undefined });
  return ladder;
}

/** What every rung starts the browser with. */
export function browserArguments(profile: string): readonly string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--disable-gpu',
    // Containers give /dev/shm 64 MB, and a page of pictures needs more.
    '--disable-dev-shm-usage',
    '--host-resolver-rules=MAP * ~NOTFOUND',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-sync',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--disable-extensions',
    '--no-pings',
    '--mute-audio',
    '--font-render-hinting=none',
    // Otherwise letters are placed on whole pixels of the screen: uneven on paper, and words fall apart when copied.
    '--force-device-scale-factor=2',
    '--force-color-profile=srgb',
    'about:blank',
  ];
}
