/** Whether a browser may run without a sandbox if none works with it. */
export type SandboxRule = 'required' | 'preferred';

/** One way to start the browser. */
export interface Rung {
  /** Its protection, for operators. */
  readonly name: string;
  readonly isSandboxed: boolean;
  readonly command: string;
  readonly args: readonly string[];
  /** The user it runs as; absent: the gateway's own. */
  readonly userId: number | undefined;
}

/** The unprivileged user of every Linux. */
export const NOBODY = 65_534;

const UNSHARE = '/usr/bin/unshare';
const OWN_NETWORK = ['--user', '--map-current-user', '--net', '--'];

/**
 * The ways to start the browser, safest first: without network, sandboxed, as an unprivileged user. Containers often forbid the
 * namespaces that the first ones need. The last is for a root that may not change its user, or whose browser is not accessible
 * to others.
 */
export function launchLadder(
  executable: string,
  { isRoot, sandbox }: { readonly isRoot: boolean; readonly sandbox: SandboxRule },
): readonly Rung[] {
  const userId = isRoot ? NOBODY : undefined;
  const unshared = { command: UNSHARE, args: [...OWN_NETWORK, executable], userId };
  const plain: Pick<Rung, 'command' | 'args' | 'userId'> = { command: executable, args: [], userId };
  const sandboxed: readonly Rung[] = [
    { name: 'sandbox, own network namespace', isSandboxed: true, ...unshared },
    { name: 'sandbox', isSandboxed: true, ...plain },
  ];
  if (sandbox === 'required') return sandboxed;
  const without = (rung: typeof plain) => ({
    ...rung,
    isSandboxed: false,
    args: [...rung.args, '--no-sandbox'],
  });
  return [
    ...sandboxed,
    { name: 'no sandbox, own network namespace', ...without(unshared) },
    { name: 'no sandbox', ...without(plain) },
    ...(isRoot ? [{ name: 'no sandbox, as root', ...without(plain), userId: undefined }] : []),
  ];
}

/** Command-line arguments of every rung. */
export function browserArguments(profile: string): readonly string[] {
  return [
    '--headless',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    '--no-first-run',
    '--disable-gpu',
    // Containers limit /dev/shm to 64 MB, too little for a page of pictures.
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
    // Otherwise glyphs snap to whole screen pixels: uneven on paper, and words break when copied.
    '--force-device-scale-factor=2',
    '--force-color-profile=srgb',
    'about:blank',
  ];
}
