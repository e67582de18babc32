import { chmod, copyFile, link, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../../lib/clock.ts';
import type { ChildPriority } from '../../../supervision/child-priority.ts';
import type { Log } from '../../../telemetry/log.ts';
import { BrowserSilent, BrowserUnavailable } from './browser-errors.ts';
import { BrowserHome } from './browser-home.ts';
import { BrowserProcess, type BrowserProcessOptions } from './browser-process.ts';
import { type BrowserFiles, findBrowser } from './find-browser.ts';
import { fontConfig } from './font-config.ts';
import { fontFiles } from './font-files.ts';
import { launchLadder, type Rung, type SandboxRule } from './launch-ladder.ts';

export interface BrowserLauncherOptions {
  readonly dataDir: string;
  readonly executable: string | undefined;
  readonly installed: readonly string[];
  readonly sandbox: SandboxRule;
  readonly log: Log;
  readonly clock: Clock;
}

const ALL_MAY_READ = 0o444;
const ADVICE =
  'a document that breaks into the browser has all that its user has; docs/pdf.md says how to allow the sandbox, and engines.pdf.sandbox: required refuses to print without it';

/** A started browser and its profile folder. */
export interface LaunchedBrowser {
  readonly process: BrowserProcess;
  readonly profile: string;
  readonly rung: Rung;
}

/** Shared by all browsers of this process. */
interface Prepared {
  readonly home: BrowserHome;
  readonly env: Readonly<Record<string, string>>;
  readonly ladder: readonly Rung[];
}

/**
 * Starts browsers: finds the executable and creates a home the first time. Never starts one with less protection than an earlier
 * one had.
 */
export class BrowserLauncher {
  readonly #options: BrowserLauncherOptions;
  readonly #isRoot = process.getuid?.() === 0;
  #prepared: Prepared | undefined;
  /** Remaining rungs of the ladder: down to the safest one that has worked. */
  #rungs = Number.POSITIVE_INFINITY;

  constructor(options: BrowserLauncherOptions) {
    this.#options = options;
  }

  async launch(priority: ChildPriority, signal: AbortSignal): Promise<LaunchedBrowser> {
    this.#prepared ??= await this.#prepare(signal);
    let failure: unknown;
    // From the top each time: a safer rung may work again. Nothing below a rung that once worked is tried, as its failures are
    // temporary.
    for (const [index, rung] of this.#prepared.ladder.slice(0, this.#rungs).entries()) {
      try {
        const launched = await this.#climb(this.#prepared, { rung, priority }, signal);
        this.#rungs = Math.min(this.#rungs, index + 1);
        this.#tell(rung);
        return launched;
      } catch (error) {
        signal.throwIfAborted();
        failure = error;
        if (error instanceof BrowserSilent) break;
        this.#options.log.warn({ rung: rung.name, error }, 'pdf browser cannot be started this way');
      }
    }
    throw new BrowserUnavailable(this.#whyUnavailable(), { cause: failure });
  }

  /** Removes the home after all browsers have ended. */
  async close(): Promise<void> {
    await this.#prepared?.home.remove();
    this.#prepared = undefined;
  }

  #tell({ name: rung, isSandboxed, userId }: Rung): void {
    const { log } = this.#options;
    log.info({ rung }, 'pdf browser started');
    if (isSandboxed) return;
    if (this.#isRoot && userId === undefined)
      log.error({ rung, advice: ADVICE }, 'the pdf browser runs as ROOT and without its sandbox');
    else log.warn({ rung, advice: ADVICE }, 'the pdf browser runs without its sandbox');
  }

  #whyUnavailable(): string {
    if (this.#options.sandbox === 'required')
      return 'the browser cannot be started with its sandbox, and engines.pdf.sandbox is "required"';
    if (this.#rungs === Number.POSITIVE_INFINITY) return 'the browser cannot be started in any way';
    return 'the browser cannot be started with the protection that it had before; a restart of the gateway tries with less';
  }

  async #climb(
    { home, env }: Prepared,
    { rung, priority }: Pick<BrowserProcessOptions, 'rung' | 'priority'>,
    signal: AbortSignal,
  ): Promise<LaunchedBrowser> {
    const profile = await home.newProfile(rung.userId);
    try {
      const ownEnv = { ...env, HOME: profile, TMPDIR: profile };
      const { clock } = this.#options;
      const started = await BrowserProcess.start({ rung, profile, env: ownEnv, priority, clock }, signal);
      return { process: started, profile, rung };
    } catch (error) {
      await home.removeProfile(profile);
      throw error;
    }
  }

  async #prepare(signal: AbortSignal): Promise<Prepared> {
    const { log, ...search } = this.#options;
    const onProgress = (share: number) =>
      log.info({ percent: Math.round(share * 100) }, 'unpacking the pdf browser');
    const found = await findBrowser({ ...search, onProgress }, signal);
    const home = await BrowserHome.open({ dataDir: search.dataDir, isRoot: this.#isRoot });
    try {
      const files = this.#isRoot ? await copiedInto(home, found) : found;
      log.info({ executable: found.executable }, 'pdf browser found');
      return {
        home,
        env: await this.#environment(home, files),
        ladder: launchLadder(files.executable, { isRoot: this.#isRoot, sandbox: search.sandbox }),
      };
    } catch (error) {
      await home.remove();
      throw error;
    }
  }

  async #environment(
    home: BrowserHome,
    { libraries }: BrowserFiles,
  ): Promise<Readonly<Record<string, string>>> {
    const isRoot = this.#isRoot;
    const fonts = await home.folder('fonts', { writable: false, isRoot });
    const cache = await home.folder('font-cache', { writable: true, isRoot });
    for (const file of fontFiles()) await linkOrCopy(file, join(fonts, basename(file)), isRoot);
    const config = join(home.path, 'fonts.conf');
    await writeFile(config, fontConfig({ fonts, cache }), { mode: 0o644 });
    return {
      PATH: '/usr/bin:/bin',
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      FONTCONFIG_FILE: config,
      ...(libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }),
    };
  }
}

/** The packaged browser is in the data folder, which the browser's user cannot enter; an installed one stays in place. */
async function copiedInto(home: BrowserHome, { executable, libraries }: BrowserFiles): Promise<BrowserFiles> {
  if (libraries === undefined) return { executable, libraries };
  const folder = await home.folder('browser', { writable: false, isRoot: true });
  for (const source of [dirname(executable), libraries]) {
    for (const entry of await readdir(source, { withFileTypes: true })) {
      if (entry.isFile()) await linkOrCopy(join(source, entry.name), join(folder, entry.name), true);
    }
  }
  return { executable: join(folder, basename(executable)), libraries: folder };
}

/** Another user cannot follow a symbolic link into closed folders; a hard link needs the same file system. */
async function linkOrCopy(from: string, to: string, forOtherUser: boolean): Promise<void> {
  if (!forOtherUser) return await symlink(from, to);
  const { mode } = await stat(from);
  if ((mode & ALL_MAY_READ) === ALL_MAY_READ && (await isLinked(from, to))) return;
  await copyFile(from, to);
  await chmod(to, 0o755);
}

function isLinked(from: string, to: string): Promise<boolean> {
  return link(from, to).then(
    () => true,
    () => false,
  );
}
